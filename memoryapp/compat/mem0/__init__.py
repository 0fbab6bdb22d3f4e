"""mem0's API over our memory: translate, call, translate back."""
