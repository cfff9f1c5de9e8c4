import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail } from "@/lib/common/errors";
import { findOnPath, runChild } from "@/lib/server/process";

export type SandboxKind = "bubblewrap" | "setpriv" | "none";

export interface SandboxCall {
  readonly argv: readonly [string, ...string[]];
  /** The only folder that can be written. */
  readonly work: string;
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

const limits = { openFiles: 1024, processes: 256, fileBytes: 8 * 2 ** 30 } as const;
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
    wrap: ({ argv, work, needs }) => [
      path,
      ...["--unshare-all", "--unshare-user", "--die-with-parent", "--new-session"],
      ...["--cap-drop", "ALL", "--uid", "65534", "--gid", "65534", "--hostname", "sandbox"],
      ...systemFolders.flatMap((folder) => ["--ro-bind-try", folder, folder]),
      ...["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"],
      ...needs.flatMap((file) => ["--ro-bind", file, file]),
      ...["--bind", work, work, "--chdir", work, "--"],
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

const bare: Sandbox = {
  kind: "none",
  monitored: false,
  wrap: ({ argv }) => limited(argv, false),
};

async function works(sandbox: Sandbox): Promise<boolean> {
  const work = await mkdtemp(join(tmpdir(), "boardwalk-sandbox-"));
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
  if (kind === "none") return bare;
  if (kind === "bubblewrap") {
    const path = findOnPath("bwrap");
    return path ? bubblewrap(path) : null;
  }
  const [unshare, setpriv] = [findOnPath("unshare"), findOnPath("setpriv")];
  return unshare && setpriv ? unshared(unshare, setpriv) : null;
}

/**
 * The sandbox to use: the one that was asked for, or with `auto` the best that works on this machine.
 *
 * @param trusted Whether everybody who can start builds owns the machine: then `auto` may end at none.
 * @throws {AppError} `SANDBOX_UNAVAILABLE` when it does not work here.
 */
export async function chooseSandbox(
  wanted: SandboxKind | "auto",
  { trusted }: { readonly trusted: boolean },
): Promise<Sandbox> {
  const kinds: SandboxKind[] = wanted === "auto" ? ["bubblewrap", "setpriv"] : [wanted];
  if (wanted === "auto" && trusted) kinds.push("none");
  for (const kind of kinds) {
    const sandbox = candidate(kind);
    if (sandbox && (kind === "none" || (await works(sandbox)))) return sandbox;
  }
  throw fail("SANDBOX_UNAVAILABLE", "Tools cannot be run in a sandbox on this machine.", {
    hint: existsSync("/usr/bin/bwrap")
      ? "Allow unprivileged user namespaces, or set SANDBOX=none if everybody here is trusted."
      : "apt-get install bubblewrap",
  });
}
