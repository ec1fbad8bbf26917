// entry-list
