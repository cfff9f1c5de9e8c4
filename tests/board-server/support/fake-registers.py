"""Registers that are none: a fake of the kernel's mapping and of AMD's pyxrt, whose other end is a simulated design."""

import os
import signal
import socket


class Registers:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.lines = self.socket.makefile("r")

    def _ask(self, line):
        self.socket.sendall((line + "\n").encode())
        answer = self.lines.readline().strip()
        if answer == "error":
            self.refuse()
        return answer

    def refuse(self):
        # What the processor of a Zynq does when the bus answers with an error.
        os.kill(os.getpid(), signal.SIGBUS)

    def read(self, offset):
        return int(self._ask("r %d" % offset))

    def write(self, offset, value):
        self._ask("w %d %d" % (offset, value))
