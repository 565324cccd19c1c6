"""The error that is raised about data files."""


class DatasetError(ValueError):
    """A data file is unknown, missing or damaged; the message says what to do."""
