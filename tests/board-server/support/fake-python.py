#!/usr/bin/python3
"""A fake Python: it runs the program that it is given, but a mapped file leads to the simulated design that it names."""

import importlib.util
import os
import sys
import types

here = os.path.dirname(os.path.realpath(__file__))
spec = importlib.util.spec_from_file_location("fake_registers", os.path.join(here, "fake-registers.py"))
fake = importlib.util.module_from_spec(spec)
spec.loader.exec_module(fake)


class Memory:
    def __init__(self, handle, size, flags, protection, offset):
        assert size == 4096, "the registers are a page"
        with os.fdopen(os.dup(handle)) as file:
            self.registers = fake.Registers(file.read().strip())

    def cast(self, kind):
        assert kind == "I", "an access is one of 32 bits"
        return self

    def __getitem__(self, word):
        return self.registers.read(4 * word)

    def __setitem__(self, word, value):
        self.registers.write(4 * word, value)


mmap = types.ModuleType("mmap")
mmap.mmap, mmap.MAP_SHARED, mmap.PROT_READ, mmap.PROT_WRITE = Memory, 1, 1, 2
sys.modules["mmap"] = mmap
flag, program, *arguments = sys.argv[1:]
assert flag == "-c"
sys.argv = [flag, *arguments]
exec(compile(program, "registers", "exec"), {"__name__": "__main__", "memoryview": lambda memory: memory})
