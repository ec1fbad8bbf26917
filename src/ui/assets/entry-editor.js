// entry-editor
