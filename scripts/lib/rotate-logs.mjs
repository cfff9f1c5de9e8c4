import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

/** A log of more bytes than this begins anew; what it held is kept so many times. */
const mostBytes = 20e6;
const kept = 3;
const everyMs = 10_000;

/** Keeps every log of a folder within bounds for as long as this process lives: some 80 MB each. */
export function watchLogs(folder) {
  const look = () => {
    try {
      rotateLogs(folder);
    } catch {
      // A full disk is no reason to stop: the next look may find room.
    }
  };
  look();
  setInterval(look, everyMs).unref();
}

/** Begins each log anew that has become too long: `x.log` becomes `x.log.1`, which becomes `x.log.2`, up to three. */
export function rotateLogs(folder, limits = { mostBytes, kept }) {
  for (const name of readdirSync(folder))
    if (name.endsWith(".log")) rotate(join(folder, name), limits);
}

/** Processes hold their log open, to write at its end: it is emptied under them, not moved away. */
function rotate(file, { mostBytes: most, kept: last }) {
  const log = openSync(file, "r+");
  try {
    if (fstatSync(log).size <= most) return;
    rmSync(`${file}.${last}`, { force: true });
    for (let at = last - 1; at >= 1; at--) moveIfThere(`${file}.${at}`, `${file}.${at + 1}`);
    const copy = openSync(`${file}.1`, "w", 0o600);
    try {
      copyAll(log, copy);
      ftruncateSync(log);
    } finally {
      closeSync(copy);
    }
  } finally {
    closeSync(log);
  }
}

/** Up to the very end, so that next to nothing is written between the copy and the emptying. */
function copyAll(from, to) {
  const piece = Buffer.alloc(1 << 20);
  for (;;) {
    const count = readSync(from, piece);
    if (count === 0) return;
    writeSync(to, piece, 0, count);
  }
}

function moveIfThere(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}
