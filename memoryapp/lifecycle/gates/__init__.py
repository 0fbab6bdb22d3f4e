"""The gates of triage, one file each: what a candidate must be to be kept."""
