// outcome
