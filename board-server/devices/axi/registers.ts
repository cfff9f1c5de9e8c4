import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { z } from "zod";
import { axiBits, axiOffsets, identityBytes } from "@/boards/links/axi";
import { AppError, fail } from "@/lib/common/errors";
import { findOnPath } from "@/lib/server/process";
import { registersScript } from "./registers-script";

/** Where the registers of a design are. */
export type RegisterPlace =
  /** In memory that a file of the kernel maps: `/dev/uio0`, or `/dev/mem` at their address. */
  | {
      readonly kind: "mapped";
      readonly path: string;
      readonly offset: number;
      readonly size: number;
    }
  /** On a card: XRT loads the container, and gives the registers of a kernel in it. */
  | {
      readonly kind: "card";
      readonly device: string;
      readonly xclbin: string;
      readonly name: string;
      /** A library that gives them, in the place of pyxrt. */
      readonly library?: string;
    };

export interface RegisterOptions {
  readonly place: RegisterPlace;
  /** An interpreter of Python 3: its name on `PATH`, or its path. */
  readonly python: string;
  /** What it may read of our environment, such as where XRT is. */
  readonly env?: Readonly<Record<string, string>>;
  /** How long it may take until the registers are there. */
  readonly openMs: number;
}

const identitySchema = z.object({
  magic: z.number(),
  version: z.number(),
  input_bytes: z.number(),
  output_bytes: z.number(),
  identity: z.array(z.number()).length(identityBytes / 4),
});
/** What the identity registers hold. */
export type IdentityRegisters = z.infer<typeof identitySchema>;

const rowsSchema = z.object({ outputs: z.base64(), cycles: z.number() });
const replySchema = z.union([
  z.looseObject({ ok: z.literal(true) }),
  z.object({
    ok: z.literal(false),
    why: z.enum(["missing", "absent", "permission", "failed", "silent", "length"]),
    text: z.string(),
    row: z.number().optional(),
  }),
]);
type Reply = z.infer<typeof replySchema>;
type Problem = Extract<Reply, { ok: false }>;

/** Beyond what a question may take by itself: then it hangs where no clock is read, such as in the bus. */
const patienceMs = 2000;
const keptErrors = 2000;

interface Waiting {
  resolve(reply: Reply): void;
  reject(error: AppError): void;
}

/**
 * Opens the registers of a design, by a process that dies with this one.
 *
 * @throws {AppError} `TOOL_MISSING` without Python or XRT, `LINK_FAILED` where they cannot be opened.
 */
export async function openRegisters(options: RegisterOptions): Promise<Registers> {
  const { python } = options;
  const path = python.startsWith("/") ? python : findOnPath(python);
  if (path === null) {
    throw fail("TOOL_MISSING", `${python}, which reads registers, is not on PATH.`, {
      hint: "Install Python 3 on the host of the board.",
    });
  }
  const registers = new Registers(spawnScript(path, options));
  try {
    await registers.opened(options.openMs);
    return registers;
  } catch (error) {
    await registers.close();
    throw error;
  }
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** The registers of a design: one question after the other. */
export class Registers {
  private readonly child: Child;
  private readonly waiting: Waiting[] = [];
  private readonly exited: Promise<void>;
  private readonly greeted: Promise<Reply>;
  private ended: AppError | null = null;
  private errors = "";

  constructor(child: Child) {
    this.child = child;
    this.greeted = this.next();
    this.greeted.catch(() => {});
    child.stdin.on("error", () => {});
    child.stderr.on("data", (bytes: Buffer) => {
      this.errors = (this.errors + bytes.toString()).slice(-keptErrors);
    });
    createInterface({ input: child.stdout }).on("line", (line) => this.take(line));
    this.exited = new Promise((resolve) => {
      const gone = (how: string) => {
        this.end(died(how, this.errors));
        resolve();
      };
      child.once("exit", (status, signal) => gone(signal ?? `status ${status}`));
      child.once("error", ({ message }) => gone(message));
    });
  }

  async opened(withinMs: number): Promise<void> {
    okay(await this.within(withinMs, this.greeted));
  }

  /** Reads who the design is. @throws {AppError} `LINK_FAILED` */
  async identify(limitMs: number): Promise<IdentityRegisters> {
    return identitySchema.parse(okay(await this.ask({ do: "identify", limitMs })));
  }

  /** Resets the core, and has it take rows by its data registers. @throws {AppError} `LINK_FAILED` */
  async reset(limitMs: number): Promise<void> {
    okay(await this.ask({ do: "reset", limitMs }));
  }

  /**
   * Runs rows, one after the other.
   * @returns Their answers one behind the other, and the cycles of all of them.
   * @throws {AppError} `LINK_FAILED`, naming the row, when the core hangs.
   */
  async run(
    rows: Uint8Array,
    sizes: { readonly inputBytes: number; readonly outputBytes: number },
    limitMs: number,
  ): Promise<{ readonly outputs: Uint8Array; readonly cycles: number }> {
    const question = { do: "rows", rows: Buffer.from(rows).toString("base64"), ...sizes, limitMs };
    const { outputs, cycles } = rowsSchema.parse(okay(await this.ask(question)));
    return { outputs: new Uint8Array(Buffer.from(outputs, "base64")), cycles };
  }

  async close(): Promise<void> {
    this.end(fail("CANCELLED", "The model was unloaded."));
    await this.exited;
  }

  private ask(question: { readonly do: string; readonly limitMs: number }): Promise<Reply> {
    if (this.ended) return Promise.reject(this.ended);
    const reply = this.next();
    this.child.stdin.write(`${JSON.stringify(question)}\n`);
    return this.within(question.limitMs + patienceMs, reply);
  }

  private async within(limitMs: number, reply: Promise<Reply>): Promise<Reply> {
    const timer = setTimeout(() => {
      this.end(fail("LINK_FAILED", `The registers did not answer within ${limitMs} ms.`));
    }, limitMs);
    try {
      return await reply;
    } finally {
      clearTimeout(timer);
    }
  }

  private next(): Promise<Reply> {
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  private take(line: string): void {
    try {
      this.waiting.shift()?.resolve(replySchema.parse(JSON.parse(line)));
    } catch (cause) {
      this.end(
        new AppError("internal", "What reads the registers wrote what is no answer.", {
          reason: "INTERNAL",
          cause,
        }),
      );
    }
  }

  private end(error: AppError): void {
    this.ended ??= error;
    for (const { reject } of this.waiting.splice(0)) reject(this.ended);
    this.child.kill("SIGKILL");
  }
}

/** A reply that is none of a problem. @throws {AppError} `TOOL_MISSING`, `LINK_FAILED` */
function okay(reply: Reply): Extract<Reply, { ok: true }> {
  if (reply.ok) return reply;
  throw problemOf(reply);
}

function problemOf({ why, text, row }: Problem): AppError {
  switch (why) {
    case "missing":
      return fail("TOOL_MISSING", `The registers cannot be opened: ${text}.`, {
        hint: "docs/boards-alveo.md says what the host of a card needs.",
      });
    case "absent":
      return fail("LINK_FAILED", `There are no registers here: ${text}.`, {
        hint: "Compare the place of the registers in the file that names the boards with the host's.",
      });
    case "permission":
      return fail("LINK_FAILED", `The registers may not be opened: ${text}.`, {
        hint: "Allow the user of the board server to read and write that file: docs/boards-zynq.md has a udev rule.",
      });
    case "failed":
      return fail("LINK_FAILED", `The registers cannot be used: ${text}.`);
    default:
      return fail("LINK_FAILED", `The core hangs at row ${row ?? 0} of the call: ${text}.`, {
        hint: "It is reset, and loaded again if that does not help.",
      });
  }
}

function died(how: string, errors: string): AppError {
  const words = errors.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
  const isBus = how === "SIGBUS";
  return fail(
    "LINK_FAILED",
    isBus
      ? "The bus refused an access: no design of Boardwalk has its registers at that address."
      : `What reads the registers ended (${how}): ${words}`,
    isBus ? { hint: "Compare the address with the one in Vivado's address editor." } : {},
  );
}

/** It gets of our environment what it is given. */
function spawnScript(python: string, { place, env = {} }: RegisterOptions): Child {
  const shim = findOnPath("setpriv");
  const argument = JSON.stringify({
    place,
    offsets: axiOffsets,
    bits: axiBits,
    identityWords: identityBytes / 4,
  });
  const [program = python, ...rest] = [
    ...(shim ? [shim, "--pdeathsig", "KILL", "--"] : []),
    ...[python, "-c", registersScript, argument],
  ];
  const path = "/usr/local/bin:/usr/bin:/bin";
  return spawn(program, rest, {
    cwd: "/",
    env: { NODE_ENV: "production", PATH: path, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
}
