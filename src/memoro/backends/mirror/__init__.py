"""The folder of plain files beside the store: written from it, and read where a person edited it.

What a person's edit means is decided in `memoro.memory.plain`; here are the files.
"""
