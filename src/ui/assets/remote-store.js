// remote-store
