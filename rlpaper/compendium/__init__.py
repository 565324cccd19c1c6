"""What `make` does: run the notebooks that changed, keep their figures, write the report."""
