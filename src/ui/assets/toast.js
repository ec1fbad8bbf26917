// toast
