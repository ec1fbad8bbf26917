// What the server writes above the service worker: the hash of the files.
declare const SET: string;
