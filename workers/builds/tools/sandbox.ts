import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import type { SandboxKind } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { findOnPath, makeTemporaryFolder, runChild } from "@/lib/server/process";

/** A program to run shut in, and what it may see. */
export interface SandboxCall {
  readonly argv: readonly [string, ...string[]];
  /** The only folder that can be written. */
  readonly work: string;
  /** Where in it the program begins; left out: in the folder itself. */
  readonly cwd?: string;
  /** Files and folders to see besides the system's. */
  readonly needs: readonly string[];
}

/** A way of running a program with no network, its own processes only, and one folder to write. */
export interface Sandbox {
  readonly kind: SandboxKind;
  /** True when a monitor stands between us and the program. */
  readonly monitored: boolean;
  wrap(call: SandboxCall): [string, ...string[]];
}

const limits = {
  openFiles: 1024,
  processes: 256,
  fileBytes: 8 * 2 ** 30,
  /** What lies in a file system of memory is no process's memory: it needs a limit of its own. */
  temporaryBytes: 2 ** 30,
} as const;
const systemFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/ld.so.cache"];

/** Lower priority and resource limits; address space is left alone, since WebAssembly reserves 40 GiB of it. */
function limited(argv: readonly [string, ...string[]], perUser: boolean): [string, ...string[]] {
  const nice = findOnPath("nice");
  const prlimit = findOnPath("prlimit");
  const lower = nice ? [nice, "-n", "10"] : [];
  const bound = prlimit
    ? [
        prlimit,
        "--core=0",
        `--fsize=${limits.fileBytes}`,
        `--nofile=${limits.openFiles}`,
        // Counted per user: only where the user is the sandbox's own.
        ...(perUser ? [`--nproc=${limits.processes}`] : []),
        "--",
      ]
    : [];
  const [program = argv[0], ...rest] = [...lower, ...bound, ...argv];
  return [program, ...rest];
}

function bubblewrap(path: string): Sandbox {
  return {
    kind: "bubblewrap",
    monitored: true,
    wrap: ({ argv, work, cwd = work, needs }) => [
      path,
      ...["--unshare-all", "--unshare-user", "--die-with-parent", "--new-session"],
      ...["--cap-drop", "ALL", "--uid", "65534", "--gid", "65534", "--hostname", "sandbox"],
      ...systemFolders.flatMap((folder) => ["--ro-bind-try", folder, folder]),
      ...["--proc", "/proc", "--dev", "/dev", "--size", String(limits.temporaryBytes)],
      ...["--tmpfs", "/tmp"],
      ...needs.flatMap((file) => ["--ro-bind", file, file]),
      ...["--bind", work, work, "--chdir", cwd, "--"],
      ...limited(argv, true),
    ],
  };
}

/** Without bubblewrap: its own network and processes by `unshare`, no new privileges, but the host's files. */
function unshared(unshare: string, setpriv: string): Sandbox {
  const user = process.getuid?.() === 0 ? [] : ["--user", "--map-current-user"];
  return {
    kind: "setpriv",
    monitored: true,
    wrap: ({ argv }) => [
      unshare,
      ...user,
      ...["--net", "--pid", "--ipc", "--uts", "--fork", "--kill-child", "--mount-proc", "--"],
      ...[setpriv, "--no-new-privs", "--"],
      // The first process of a namespace is deaf to most signals: a shell stands there, and the tool below it.
      ...["/bin/sh", "-c", '"$@"; exit "$?"', "sh"],
      ...limited(argv, false),
    ],
  };
}

/**
 * Stands above a tool that no namespace holds. Whatever the tool starts stays below it, though it leaves session, group,
 * environment and parent; when the tool has ended, or our own process is gone, it ends all of that and then itself.
 */
const reaper = `
import ctypes, os, signal, sys
libc = ctypes.CDLL(None)
libc.prctl(36, 1, 0, 0, 0)
def below():
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                stat = open(f"/proc/{name}/stat", "rb").read()
            except OSError:
                continue
            parents.setdefault(int(stat[stat.rindex(b")") + 2:].split()[1]), []).append(int(name))
    found = [os.getpid()]
    for one in found:
        found += parents.get(one, [])
    return found[1:]
def end(status):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        for one in below():
            try:
                os.kill(one, signal.SIGKILL)
            except OSError:
                pass
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            os._exit(status)
signal.signal(signal.SIGTERM, lambda *_: end(143))
libc.prctl(1, signal.SIGTERM, 0, 0, 0)
tool = os.fork()
if tool == 0:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        os.execv(sys.argv[1], sys.argv[1:])
    finally:
        os._exit(127)
while True:
    one, status = os.waitpid(-1, 0)
    if one == tool:
        code = os.waitstatus_to_exitcode(status)
        end(code if code >= 0 else 128 - code)
`;

function bare(): Sandbox {
  const python = findOnPath("python3");
  return {
    kind: "none",
    monitored: python !== null,
    wrap: ({ argv }) =>
      python === null
        ? limited(argv, false)
        : [python, "-I", "-c", reaper, ...limited(argv, false)],
  };
}

async function works(sandbox: Sandbox): Promise<boolean> {
  const work = makeTemporaryFolder("sandbox");
  try {
    const { exitCode } = await runChild({
      argv: sandbox.wrap({ argv: [findOnPath("true") ?? "/bin/true"], work, needs: [] }),
      cwd: work,
      env: {},
      wallMs: 10_000,
      onOutput: () => {},
    });
    return exitCode === 0;
  } catch {
    return false;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function candidate(kind: SandboxKind): Sandbox | null {
  if (kind === "none") return bare();
  if (kind === "bubblewrap") {
    const path = findOnPath("bwrap");
    return path ? bubblewrap(path) : null;
  }
  const [unshare, setpriv] = [findOnPath("unshare"), findOnPath("setpriv")];
  return unshare && setpriv ? unshared(unshare, setpriv) : null;
}

/**
 * The sandbox to use: the one that was asked for, or with `auto` the best that works on this machine. None at all is only
 * what somebody asked for by name.
 *
 * @throws {AppError} `SANDBOX_UNAVAILABLE` when it does not work here.
 */
export async function chooseSandbox(wanted: SandboxKind | "auto"): Promise<Sandbox> {
  const kinds: SandboxKind[] = wanted === "auto" ? ["bubblewrap", "setpriv"] : [wanted];
  for (const kind of kinds) {
    const sandbox = candidate(kind);
    if (sandbox && (kind === "none" || (await works(sandbox)))) return sandbox;
  }
  throw fail("SANDBOX_UNAVAILABLE", "Tools cannot be run in a sandbox on this machine.", {
    hint: existsSync("/usr/bin/bwrap")
      ? "Allow unprivileged user namespaces, or set SANDBOX=none if everybody here is trusted: each page then says so."
      : "apt-get install bubblewrap, or set SANDBOX=none if everybody here is trusted: each page then says so.",
  });
}

/** What is to be done on this machine for tools to be shut in wholly; null where they are. */
export async function mendSandbox(
  { kind }: Sandbox,
  wanted: SandboxKind | "auto",
): Promise<string | null> {
  if (kind === "bubblewrap") return null;
  const whole = candidate("bubblewrap");
  const steps = [
    ...(whole === null ? ["apt-get install bubblewrap"] : []),
    ...(whole !== null && !(await works(whole)) ? ["allow unprivileged user namespaces"] : []),
    ...(wanted === "auto" ? [] : ["unset SANDBOX"]),
  ];
  return [...steps, "start the build worker again"].join(", then ");
}
