// local-store
