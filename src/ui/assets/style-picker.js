// style-picker
