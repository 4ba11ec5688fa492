"""One kind of foreign result file a module; each declares one Importer, named like its file."""
