"""Where people and programs meet Memoro. Thin: parse, call, render."""
