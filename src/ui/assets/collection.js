// collection
