"""What `make` does: run the notebooks that changed, keep their figures, write the report."""

import sys

# jsonschema, which checks every notebook that is read, compiles a grammar of web addresses when it
# is imported, for two seconds in every process, if this optional library of others is there. No
# notebook needs it.
# None says that it cannot be imported.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
