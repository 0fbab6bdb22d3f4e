"""What the product knows of human languages: telling them apart, comparing wordings, dates, grammatical person."""
