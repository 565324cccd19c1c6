"""Abril, Navarro-Arribas & Torra (about 2011): three learned distances side by side."""
