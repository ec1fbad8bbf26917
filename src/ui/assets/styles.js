// styles
