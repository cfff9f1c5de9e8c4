// Keeps the stores: starts them in a session of its own, so that Ctrl-C does not reach them, and stops them, last first,
// when its standard input ends, which also happens when the launcher is killed. The first line of input says what to start.
import { spawn } from "node:child_process";
import { existsSync, openSync } from "node:fs";
import { createInterface } from "node:readline";

// What the stores write is their user's alone.
process.umask(0o077);

const setpriv = ["/usr/bin/setpriv", "/bin/setpriv"].find((path) => existsSync(path));
const children = [];
const tell = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);

function start(store) {
  // The kernel ends the store should this process die without a word.
  const [command, args] =
    process.platform === "linux" && setpriv
      ? [
          setpriv,
          ["--pdeathsig", store.stopSignal.replace("SIG", ""), store.command, ...store.args],
        ]
      : [store.command, store.args];
  const log = openSync(store.logFile, "a");
  const child = spawn(command, args, {
    cwd: store.cwd,
    env: store.env,
    uid: store.uid,
    gid: store.gid,
    stdio: ["pipe", log, log],
  });
  child.stdin.on("error", () => {});
  if (store.input) child.stdin.end(store.input);
  child.on("error", (error) => tell({ event: "failed", name: store.name, message: error.message }));
  child.on("exit", (code, signal) => {
    const mine = children.find((entry) => entry.child === child);
    if (mine) mine.ended = true;
    tell({ event: "ended", name: store.name, code, signal, stopping });
  });
  children.push({ store, child, ended: false });
  tell({ event: "started", name: store.name, pid: child.pid });
}

let stopping = false;
async function stop() {
  if (stopping) return;
  stopping = true;
  for (const entry of children.toReversed()) {
    if (entry.ended) continue;
    const ended = new Promise((resolve) => entry.child.once("exit", resolve));
    entry.child.kill(entry.store.stopSignal);
    const hard = setTimeout(() => entry.child.kill("SIGKILL"), 3000);
    await ended;
    clearTimeout(hard);
  }
  process.exit(0);
}

for (const signal of ["SIGINT", "SIGHUP"]) process.on(signal, () => {});
process.on("SIGTERM", stop);
process.stdout.on("error", () => {});

const input = createInterface({ input: process.stdin });
input.on("line", (text) => {
  const order = JSON.parse(text);
  if (order.start) for (const store of order.start) start(store);
  if (order.kill) {
    // A test asks for the death of one store.
    const entry = children.find((each) => each.store.name === order.kill && !each.ended);
    entry?.child.kill("SIGKILL");
  }
});
input.on("close", stop);
