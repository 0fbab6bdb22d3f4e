"""The ways to reach a model, one file each; `llm.client.build_client` picks one."""
