"""Calls mem0's Python client until it is told to slow down; prints what it was told."""

import json
import sys

from mem0 import MemoryClient
from mem0.exceptions import RateLimitError

orders = json.load(sys.stdin)
client = MemoryClient(api_key=orders["token"], host=orders["host"])
try:
    for _ in range(8):
        client.search("milk", filters={"user_id": "ana"})
except RateLimitError as error:
    told = error.debug_info
    print(json.dumps({"retry_after": told["retry_after"], "limit": told["x_ratelimit_limit"]}))
