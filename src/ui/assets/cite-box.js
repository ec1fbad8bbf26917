// cite-box
