// batch
