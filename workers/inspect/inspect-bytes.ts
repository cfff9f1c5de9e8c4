import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deserialize } from "node:v8";
import type { Inspection, ModelCard } from "@/lib/common/contract";
import { type AppError, fail, fromErrorData, toAppError } from "@/lib/common/errors";
import { bundlePath, makeTemporaryFolder, runChild } from "@/lib/server/process";
import type { InspectAnswer, InspectTask } from "./inspect.child";
import type { Inspected, PartsBeside } from "./inspect-model";

export interface InspectOptions {
  readonly card?: ModelCard | null | undefined;
  readonly beside?: PartsBeside | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** Memory for what is read of the model, in MiB. */
  readonly memoryMb?: number | undefined;
}

/** Longest inspection of one file. The largest archive that may expand to its limit takes a third of it. */
const defaultTimeoutMs = 60_000;
const defaultMemoryMb = 1536;
/** Of the whole process: the file, what it expands to, and libraries' own memory come on top. */
const residentBytes = 4 * 2 ** 30;

/**
 * Inspects a model file in a process of its own, which ends with it.
 *
 * @throws {AppError} with the reason why the file cannot be taken; `INSPECTION_TIMED_OUT`, `MODEL_TOO_COMPLEX`.
 */
export async function inspectFile(path: string, options: InspectOptions = {}): Promise<Inspection> {
  return (await inFolder((folder) => run(folder, path, options, false))).inspection;
}

/** The same of a file that was read. */
export async function inspectBytes(
  bytes: Uint8Array,
  options: InspectOptions = {},
): Promise<Inspection> {
  return (await write(bytes, (folder, path) => run(folder, path, options, false))).inspection;
}

/** The same, with the model as engines plan from it. */
export function inspectAndRead(
  bytes: Uint8Array,
  options: InspectOptions = {},
): Promise<Inspected> {
  return write(bytes, (folder, path) => run(folder, path, options, true));
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = makeTemporaryFolder("inspect");
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function write<T>(
  bytes: Uint8Array,
  use: (folder: string, path: string) => Promise<T>,
): Promise<T> {
  return inFolder(async (folder) => {
    const path = join(folder, "model");
    await writeFile(path, bytes, { mode: 0o600 });
    return await use(folder, path);
  });
}

async function run(
  folder: string,
  path: string,
  {
    card = null,
    beside = {},
    signal,
    timeoutMs = defaultTimeoutMs,
    memoryMb = defaultMemoryMb,
  }: InspectOptions,
  withGraph: boolean,
): Promise<Inspected> {
  const parts = await writeBeside(folder, beside);
  const task: InspectTask = { path, card, beside: parts, withGraph };
  await writeFile(join(folder, "task.json"), JSON.stringify(task));
  let said = "";
  const {
    end,
    exitCode,
    signal: killedBy,
  } = await runChild({
    argv: [
      process.execPath,
      "--no-warnings",
      `--max-old-space-size=${memoryMb}`,
      bundlePath("workers/inspect/inspect.child"),
      folder,
    ],
    cwd: folder,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", NODE_ENV: "production" },
    ...(signal ? { signal } : {}),
    wallMs: timeoutMs,
    memoryBytes: residentBytes,
    // Computing, it would not hear a SIGTERM.
    graceMs: 0,
    onOutput: (_, bytes) => {
      if (said.length < 4096) said += bytes.toString();
    },
  });
  if (end === "aborted") {
    const error = toAppError(signal?.reason);
    throw error.reason === "INTERNAL" ? fail("CANCELLED", "The work was stopped.") : error;
  }
  if (end === "wall") {
    const seconds = Math.round(timeoutMs / 1000);
    throw fail("INSPECTION_TIMED_OUT", `Inspecting the model took over ${seconds} s.`);
  }
  // Out of memory, or a size that no list can have: the engine of our language knows no way but to end the process.
  if (end === "memory" || killedBy !== null || exitCode !== 0) {
    throw fail("MODEL_TOO_COMPLEX", "The model needs more memory to be read than is allowed.", {
      cause: new Error(`exit ${exitCode}, ${killedBy}: ${said}`),
    });
  }
  const answer = deserialize(await readFile(join(folder, "answer"))) as InspectAnswer;
  if (answer.ok) return answer.value;
  const error: AppError = fromErrorData(answer.error);
  if (answer.cause !== "") error.cause = new Error(answer.cause);
  throw error;
}

async function writeBeside(folder: string, beside: PartsBeside): Promise<InspectTask["beside"]> {
  const paths: [string, string][] = [];
  for (const [part, bytes] of Object.entries(beside)) {
    const path = join(folder, `beside-${part}`);
    await writeFile(path, bytes, { mode: 0o600 });
    paths.push([part, path]);
  }
  return Object.fromEntries(paths);
}
