"""Measurements of the memory engine, each one command with a printed table; docs/benchmarks.md has the methods."""

import os

import django

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
django.setup()
