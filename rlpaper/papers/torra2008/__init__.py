"""Torra & Nin (2008): linkage of files without common variables."""
