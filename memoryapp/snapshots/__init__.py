"""Memory as files: an agent's snapshot to take along, a workspace's backup to move, and reading what others bring."""
