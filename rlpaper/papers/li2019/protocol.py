"""The choices of li2019's simulated review."""

#: Executions of each sweep by profile.
EXECUTIONS = {"budget": {"full": 100, "quick": 3}}
