// cite-dialog
