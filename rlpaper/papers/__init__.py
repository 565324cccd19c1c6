"""One module a paper: functions that return the tidy frame behind a table or figure."""
