"""All that the sandbox sees of courselib: nothing here knows an expected value."""
