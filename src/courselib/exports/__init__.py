"""One module per receiver of grades, and what they share: reading a run, keeping a sheet, finding a student's row."""
