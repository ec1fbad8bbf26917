"""Citations in LibreOffice Writer. The component beside this folder is its door."""
