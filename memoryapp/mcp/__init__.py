"""The memory tools over the Model Context Protocol."""
