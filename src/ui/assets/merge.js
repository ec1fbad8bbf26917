// merge
