// detect
