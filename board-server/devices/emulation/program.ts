import { type ChildProcessByStdio, spawn } from "node:child_process";
import { chmod } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import {
  questionOf,
  type Reply,
  ReplyReader,
  replyKinds,
  requireGreeting,
} from "@/lib/common/emulation";
import { AppError, fail, isAppError } from "@/lib/common/errors";
import { findOnPath, residentBytes } from "@/lib/server/process";
import { slotMemory } from "../memory";

/** The program of an emulation, answering in a process of its own: it cannot take the board server with it. */
export interface Program {
  /** Why it is gone; null while it is there. */
  readonly ended: AppError | null;
  /** Bytes of real memory that it holds, as last seen. */
  readonly memoryBytes: number;
  /**
   * Answers rows, in the order of asking.
   *
   * @param rows float32, of each row its inputs one behind the other.
   * @throws {AppError} `INFER_INVALID` in the program's words; `SLOT_MEMORY`, `INTERNAL` when the process is gone.
   */
  ask(rows: Uint8Array): Promise<{ readonly outputs: Uint8Array; readonly computeNs: number }>;
  close(): Promise<void>;
}

export interface ProgramOptions {
  /** Values of a row that it takes and answers. */
  readonly sizes: { readonly inputs: number; readonly outputs: number };
  readonly memoryLimitBytes: number;
}

interface Waiting {
  resolve(reply: Reply): void;
  reject(error: AppError): void;
}

const watchMs = 100;
/** A program that has not greeted by then is none of ours. */
const greetingMs = 20_000;
/** It may open no more files than its pipes, and write none. */
const bounds = ["--core=0", "--nofile=8", "--fsize=0", "--"];

/**
 * Starts the program. It dies with this process, and when it holds more memory than it may.
 *
 * @throws {AppError} `ARTIFACT_MISMATCH` when it is no such program, `SLOT_MEMORY`.
 */
export async function startProgram(path: string, options: ProgramOptions): Promise<Program> {
  await chmod(path, 0o500);
  const program = new RunningProgram(spawnProgram(path), options.memoryLimitBytes);
  try {
    requireGreeting(await program.greeting(greetingMs), options.sizes);
    return program;
  } catch (cause) {
    await program.close();
    if (isAppError(cause) && cause.reason === "SLOT_MEMORY") throw cause;
    throw fail("ARTIFACT_MISMATCH", "The artifact's emulation does not start here.", {
      cause,
      hint: "It was compiled for another kind of processor, or another model.",
    });
  }
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

class RunningProgram implements Program {
  ended: AppError | null = null;
  memoryBytes = 0;
  private readonly child: Child;
  private readonly reader = new ReplyReader();
  private readonly waiting: Waiting[] = [];
  private readonly watch: NodeJS.Timeout;
  private readonly exited: Promise<void>;
  private readonly greeted: Promise<Reply>;

  constructor(child: Child, memoryLimitBytes: number) {
    this.child = child;
    this.greeted = this.next();
    this.greeted.catch(() => {});
    this.watch = setInterval(() => this.look(memoryLimitBytes), watchMs);
    this.watch.unref();
    this.exited = new Promise((resolve) => {
      const gone = (cause: unknown): void => {
        this.end(internal("The model's process ended on this request.", cause));
        resolve();
      };
      child.once("exit", (status, signal) => gone(new Error(`exit ${status ?? signal}`)));
      child.once("error", gone);
    });
    child.stdin.on("error", () => {});
    child.stdout.on("error", () => {});
    child.stdout.on("data", (bytes: Buffer) => this.take(bytes));
  }

  /** Its first reply, which it gives unasked. */
  async greeting(withinMs: number): Promise<Reply> {
    const timer = setTimeout(() => this.end(internal("The program is silent.", null)), withinMs);
    try {
      return await this.greeted;
    } finally {
      clearTimeout(timer);
    }
  }

  async ask(rows: Uint8Array): Promise<{ outputs: Uint8Array; computeNs: number }> {
    if (this.ended) throw this.ended;
    const replied = this.next();
    this.child.stdin.write(questionOf(rows));
    const { kind, payload, computeNs } = await replied;
    if (kind === replyKinds.answer) return { outputs: payload, computeNs };
    throw fail("INFER_INVALID", new TextDecoder().decode(payload));
  }

  async close(): Promise<void> {
    this.end(fail("CANCELLED", "The model was unloaded."));
    await this.exited;
  }

  private next(): Promise<Reply> {
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  private take(bytes: Buffer): void {
    try {
      for (const reply of this.reader.push(bytes)) this.waiting.shift()?.resolve(reply);
    } catch (cause) {
      this.end(internal("The model's process wrote what is no answer.", cause));
    }
  }

  private look(limitBytes: number): void {
    const { pid } = this.child;
    this.memoryBytes = pid === undefined ? 0 : residentBytes(pid);
    if (this.memoryBytes > limitBytes) this.end(slotMemory(limitBytes));
  }

  private end(error: AppError): void {
    this.ended ??= error;
    clearInterval(this.watch);
    for (const { reject } of this.waiting.splice(0)) reject(this.ended);
    this.child.kill("SIGKILL");
  }
}

const internal = (message: string, cause: unknown) =>
  new AppError("internal", message, { reason: "INTERNAL", cause });

/** What it prints besides answers goes nowhere; it gets nothing of our environment, and no right that we lack. */
function spawnProgram(path: string): Child {
  const setpriv = findOnPath("setpriv");
  const prlimit = findOnPath("prlimit");
  const [program = path, ...rest] = [
    ...(setpriv ? [setpriv, "--pdeathsig", "KILL", "--no-new-privs", "--"] : []),
    ...(prlimit ? [prlimit, ...bounds] : []),
    path,
  ];
  // The type wants a NODE_ENV, which is for our own processes only.
  const env = {} as unknown as NodeJS.ProcessEnv;
  return spawn(program, rest, { cwd: "/", env, stdio: ["pipe", "pipe", "ignore"] });
}
