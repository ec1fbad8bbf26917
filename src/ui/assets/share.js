// share
