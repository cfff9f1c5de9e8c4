"""A fake pyxrt: a card whose kernel is a simulated design. Of XRT it has what the board server uses, by the same names."""

import importlib.util
import os

home = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
support = os.path.dirname(os.path.realpath(__file__))
spec = importlib.util.spec_from_file_location("fake_registers", os.path.join(support, "fake-registers.py"))
fake = importlib.util.module_from_spec(spec)
spec.loader.exec_module(fake)


class uuid:
    pass


class device:
    def __init__(self, name):
        self.name = name
        if os.path.exists(os.path.join(home, "gone")):
            raise RuntimeError("No such device '%s'" % name)

    def load_xclbin(self, path):
        with open(path, "rb") as file:
            if file.read(8) != b"xclbin2\0":
                raise RuntimeError("Invalid xclbin")
        with open(os.path.join(home, "loads"), "a") as loads:
            loads.write("%s %s\n" % (self.name, path))
        return uuid()


class ip(fake.Registers):
    def __init__(self, device, xclbin_id, name):
        if name != "boardwalk_kernel":
            raise RuntimeError("No IP matching '%s'" % name)
        with open(os.path.join(home, "fabric")) as place:
            super().__init__(place.read().strip())

    def refuse(self):
        raise RuntimeError("read failed")

    def read_register(self, offset):
        if os.path.exists(os.path.join(home, "gone")):
            raise RuntimeError("No such device")
        return self.read(offset)

    def write_register(self, offset, value):
        self.write(offset, value)


class kernel:
    pass
