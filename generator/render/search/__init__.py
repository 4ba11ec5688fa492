"""What the search of the site knows: places on its pages, with what stands there."""
