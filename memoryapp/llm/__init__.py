"""Language models behind one small client. Knows no Django, so it can be read, tested and reused alone."""
