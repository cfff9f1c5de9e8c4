"""A serial line without a cable: opens a pseudo-terminal, links its end to the path given, and joins the other end with
standard input and output, byte for byte."""
import os, selectors, sys, tty

master, slave = os.openpty()
tty.setraw(slave)
path = sys.argv[1]
if os.path.islink(path):
    os.unlink(path)
os.symlink(os.ttyname(slave), path)
os.close(slave)
sys.stderr.write("ready\n")
sys.stderr.flush()
poll = selectors.DefaultSelector()
poll.register(0, selectors.EVENT_READ)
poll.register(master, selectors.EVENT_READ)
while True:
    for key, _ in poll.select():
        try:
            data = os.read(key.fd, 4096)
        except OSError:
            # Nobody has the line open.
            poll.unregister(master)
            data = None
            import time
            time.sleep(0.02)
            poll.register(master, selectors.EVENT_READ)
        if data == b"":
            sys.exit(0)
        if data:
            os.write(1 if key.fd == master else master, data)
