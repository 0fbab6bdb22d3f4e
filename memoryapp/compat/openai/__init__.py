"""OpenAI's API over our agents: whoever talks to a model there talks to somebody with a memory here."""
