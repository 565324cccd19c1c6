"""Record linkage for disclosure-risk assessment: the algorithms of five papers and their reproduction."""

__version__ = "0.1.0"
