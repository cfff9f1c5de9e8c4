/**
 * Inspects one model file and writes what it found beside it. A process of its own: whatever a file makes the engine of
 * our language do, only this ends by it.
 *
 * Argument: the folder, which holds `task.json`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serialize } from "node:v8";
import type { FirmwarePart } from "@/engines";
import type { ModelCard } from "@/lib/common/contract";
import { type ErrorData, toAppError, toErrorData } from "@/lib/common/errors";
import { withBytesRead } from "./bytes-read";
import { type Inspected, inspectModel } from "./inspect-model";

/** What the process is told through the file `task.json`. */
export interface InspectTask {
  readonly path: string;
  readonly card: ModelCard | null;
  /** Paths of files that lay beside it. */
  readonly beside: Partial<Record<FirmwarePart, string>>;
  /** Whether the graph is wanted too: its weights are copied between processes. */
  readonly withGraph: boolean;
}

/** What it leaves in the file `answer`; an error travels with its cause as text. */
export type InspectAnswer =
  | { readonly ok: true; readonly value: Inspected }
  | { readonly ok: false; readonly error: ErrorData; readonly cause: string };

const [, , folder = ""] = process.argv;
const task = JSON.parse(readFileSync(join(folder, "task.json"), "utf8")) as InspectTask;

async function answer({ path, card, beside, withGraph }: InspectTask): Promise<InspectAnswer> {
  const bytes = readFileSync(path);
  try {
    const parts = Object.entries(beside).map(([part, at]) => [part, readFileSync(at)] as const);
    const { inspection, ...model } = await inspectModel(bytes, card, Object.fromEntries(parts));
    const rest = withGraph ? model : { graph: null, savedModel: null };
    return { ok: true, value: { inspection, ...rest } };
  } catch (thrown) {
    const { cause } = toAppError(thrown);
    const stack = cause instanceof Error ? (cause.stack ?? cause.message) : "";
    const error = withBytesRead(toAppError(thrown), bytes);
    return { ok: false, error: toErrorData(error), cause: stack };
  }
}

writeFileSync(join(folder, "answer"), serialize(await answer(task)));
