"""What protects a store of memories: credentials never enter it, and what leaves it stays data. Knows no Django."""
