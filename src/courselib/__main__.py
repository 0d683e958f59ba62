"""Let `python -m courselib` be `courselib`: on Windows the script folder is often not on the path."""

from courselib.cli import main

if __name__ == "__main__":
    main()
