"""What is kept of a class between runs: records, a person's marks, and where they lie."""
