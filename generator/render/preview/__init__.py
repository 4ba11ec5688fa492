"""What other sites and search engines are told of a page: a picture, and data about the data."""
