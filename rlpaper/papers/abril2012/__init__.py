"""Abril, Navarro-Arribas & Torra (2012): weights of a linkage distance learned from the data."""
