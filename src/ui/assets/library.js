// library
