"""Record linkage: deciding which records of two files belong to the same individual."""
