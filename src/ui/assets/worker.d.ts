// Prepended to the service worker by the server: the hash of the files.
declare const SET: string;
