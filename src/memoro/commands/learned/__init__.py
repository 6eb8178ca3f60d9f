"""`memoro memory`: what is learned: facts, days, episodes, the graph, and the inbox."""
