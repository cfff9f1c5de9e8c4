/**
 * The program that reads and writes the registers of a design, in Python, since Node maps no memory. A question is a line
 * of JSON, its answer another one; it ends when its input does. Its one argument is JSON too: the address map, and
 * where the registers are.
 *
 * Of memory that is mapped, each access is one load or store of 32 bits, as the bus of a register wants it: an item of a
 * `memoryview` cast to `I`. `read` and `write` of `/dev/uioN` are for interrupts, and of `/dev/mem` they copy bytes.
 *
 * @see Linux, Documentation/driver-api/uio-howto.rst: the registers of `mapN` are mapped at N times the size of a page.
 * @see XRT, `xrt::ip` (UG1393, Working with User-Managed Kernels): what a kernel such as ours is reached by.
 */
export const registersScript = `
import base64, json, os, sys, time

options = json.loads(sys.argv[1])
at, bits = options["offsets"], options["bits"]
RESET, DATA = bits["control"]["reset"], bits["control"]["data"]
DATA_IN_READY, RESETTING = bits["status"]["data_in_ready"], bits["status"]["resetting"]
LAST_IN, LAST_OUT, THERE = bits["data_in"]["last"], bits["data_out"]["last"], bits["data_out"]["there"]

class Fault(Exception):
    def __init__(self, why, text, **more):
        super().__init__(text)
        self.why, self.more = why, more

class Mapped:
    def __init__(self, path, offset, size):
        import mmap
        handle = os.open(path, os.O_RDWR | os.O_SYNC)
        try:
            self.memory = mmap.mmap(handle, size, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE, offset=offset)
        finally:
            os.close(handle)
        self.words = memoryview(self.memory).cast("I")
    def read(self, offset):
        return self.words[offset >> 2]
    def write(self, offset, value):
        self.words[offset >> 2] = value

class Library:
    def __init__(self, path, device, xclbin, name):
        import ctypes
        self.ctypes, self.error = ctypes, ctypes.create_string_buffer(300)
        self.library = ctypes.CDLL(path)
        self.library.boardwalk_open.restype = ctypes.c_void_p
        self.size = ctypes.c_size_t(len(self.error))
        kernel = self.library.boardwalk_open(device.encode(), xclbin.encode(), name.encode(), self.error, self.size)
        if not kernel:
            raise Fault("failed", self.words())
        self.kernel = ctypes.c_void_p(kernel)
    def words(self):
        return self.error.value.decode(errors="replace")
    def read(self, offset):
        value = self.ctypes.c_uint32()
        if self.library.boardwalk_read(self.kernel, self.ctypes.c_uint32(offset), self.ctypes.byref(value), self.error, self.size):
            raise Fault("failed", self.words())
        return value.value
    def write(self, offset, value):
        if self.library.boardwalk_write(self.kernel, self.ctypes.c_uint32(offset), self.ctypes.c_uint32(value), self.error, self.size):
            raise Fault("failed", self.words())

class Card:
    def __init__(self, device, xclbin, name):
        try:
            import pyxrt
        except ImportError as error:
            raise Fault("missing", "pyxrt cannot be imported: %s" % error)
        self.device = pyxrt.device(device)
        uuid = self.device.load_xclbin(xclbin)
        if hasattr(pyxrt, "ip"):
            self.ip = pyxrt.ip(self.device, uuid, name)
        elif hasattr(pyxrt.kernel, "read_register"):
            self.ip = pyxrt.kernel(self.device, uuid, name, pyxrt.kernel.cu_access_mode.exclusive)
        else:
            raise Fault("missing", "this pyxrt reads no registers: it has neither ip nor kernel.read_register, and no library is named")
    def read(self, offset):
        return self.ip.read_register(offset)
    def write(self, offset, value):
        self.ip.write_register(offset, value)

def open_registers():
    place = options["place"]
    try:
        if place["kind"] == "mapped":
            return Mapped(place["path"], place["offset"], place["size"])
        card = place["device"], place["xclbin"], place["name"]
        return Library(place["library"], *card) if "library" in place else Card(*card)
    except PermissionError as error:
        raise Fault("permission", str(error))
    except FileNotFoundError as error:
        raise Fault("absent", str(error))
    except (OSError, RuntimeError, ValueError) as error:
        raise Fault("failed", str(error))

def until(test, deadline, text, **more):
    while True:
        value = test()
        if value is not None:
            return value
        if time.monotonic() > deadline:
            raise Fault("silent", text, **more)

def identify(registers, question, deadline):
    words = {name: registers.read(at[name]) for name in ("magic", "version", "input_bytes", "output_bytes")}
    words["identity"] = [registers.read(at["identity"] + 4 * word) for word in range(options["identityWords"])]
    return words

def reset(registers, question, deadline):
    registers.write(at["control"], DATA | RESET)
    idle = lambda: None if registers.read(at["status"]) & RESETTING else True
    until(idle, deadline, "the reset does not end")
    return {}

def send(registers, byte, deadline, **more):
    taken = lambda: True if registers.read(at["status"]) & DATA_IN_READY else None
    until(taken, deadline, "it takes no more bytes", **more)
    registers.write(at["data_in"], byte)

def receive(registers, deadline, **more):
    def byte():
        value = registers.read(at["data_out"])
        return value if value & THERE else None
    return until(byte, deadline, "no answer came", **more)

def rows(registers, question, deadline):
    given = base64.b64decode(question["rows"])
    size, answer = question["inputBytes"], question["outputBytes"]
    answers, cycles = bytearray(), 0
    for row in range(len(given) // size):
        for index in range(size):
            byte = given[row * size + index]
            send(registers, byte | LAST_IN if index == size - 1 else byte, deadline, row=row)
        for index in range(answer):
            value = receive(registers, deadline, row=row)
            if bool(value & LAST_OUT) != (index == answer - 1):
                raise Fault("length", "the answer has another length", row=row)
            answers.append(value & 255)
        cycles += registers.read(at["cycles"])
    return {"outputs": base64.b64encode(answers).decode(), "cycles": cycles}

def say(answer):
    sys.stdout.write(json.dumps(answer) + "\\n")
    sys.stdout.flush()

def main():
    try:
        registers = open_registers()
    except Fault as fault:
        return say({"ok": False, "why": fault.why, "text": str(fault), **fault.more})
    say({"ok": True})
    for line in sys.stdin:
        question = json.loads(line)
        try:
            deadline = time.monotonic() + question["limitMs"] / 1000
            answer = {"identify": identify, "reset": reset, "rows": rows}[question["do"]](registers, question, deadline)
            say({"ok": True, **answer})
        except Fault as fault:
            say({"ok": False, "why": fault.why, "text": str(fault), **fault.more})
        except (OSError, RuntimeError) as error:
            say({"ok": False, "why": "failed", "text": str(error)})

main()
`;
