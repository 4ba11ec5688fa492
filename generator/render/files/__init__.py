"""The files of data beside the pages: JSON, CSV, the scripts of charts."""
