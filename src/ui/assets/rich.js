// rich
