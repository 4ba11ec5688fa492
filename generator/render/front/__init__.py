"""The pages and files of the site as a whole, one a module."""
