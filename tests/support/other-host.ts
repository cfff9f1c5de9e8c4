import { type ChildProcess, execFileSync, spawn } from "node:child_process";

/** Another host, as far as the network goes: a network namespace of Linux with a cable to this one. */
export interface OtherHost {
  /** Address of this host on the cable. */
  readonly here: string;
  /** Address of the other one. */
  readonly there: string;
  /** Starts a program of Node there. */
  start(file: string, env: NodeJS.ProcessEnv): ChildProcess;
  /** Takes the cable out, or puts it in again. */
  plug(isIn: boolean): void;
  close(): void;
}

const ip = (...words: readonly string[]): void => {
  execFileSync("ip", words, { stdio: ["ignore", "ignore", "pipe"] });
};

/** Makes one. It takes rights over the network (root, or CAP_NET_ADMIN). */
export function openOtherHost(): OtherHost {
  const name = `bw${process.pid}`;
  const [cable, end] = [`${name}a`, `${name}b`];
  // Of the range for tests between networks (RFC 2544), by the process, so that two runs do not meet.
  const net = `198.18.${process.pid % 256}`;
  const [here, there] = [`${net}.1`, `${net}.2`];
  const inside = (...words: readonly string[]) => ip("netns", "exec", name, "ip", ...words);
  const close = (): void => {
    try {
      ip("netns", "del", name);
    } catch {
      // It was never made.
    }
  };
  close();
  try {
    ip("netns", "add", name);
    ip("link", "add", cable, "type", "veth", "peer", "name", end);
    ip("link", "set", end, "netns", name);
    ip("addr", "add", `${here}/30`, "dev", cable);
    ip("link", "set", cable, "up");
    inside("addr", "add", `${there}/30`, "dev", end);
    inside("link", "set", end, "up");
    inside("link", "set", "lo", "up");
  } catch (error) {
    close();
    throw error;
  }
  return {
    here,
    there,
    start: (file, env) =>
      spawn("ip", ["netns", "exec", name, process.execPath, "--enable-source-maps", file], {
        env,
        stdio: ["pipe", "inherit", "inherit"],
      }),
    plug: (isIn) => ip("link", "set", cable, isIn ? "up" : "down"),
    close,
  };
}
