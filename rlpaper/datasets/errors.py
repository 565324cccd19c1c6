"""What is raised about data files."""


class DatasetError(ValueError):
    """A data file is unknown, missing, damaged or not what it should be; the message says what to do."""
