import { createInterface } from "node:readline";
import type { LogLine } from "@/lib/common/contract";
import { database } from "@/lib/server/db";
import { buckets, type ObjectStore } from "@/lib/server/storage";
import { eachOf } from "./each-of";
import type { SecretSearch } from "./secrets";
import { type Finding, RuleCount } from "./types";

interface Moved {
  readonly buildId: string;
  readonly epoch: number;
  readonly object: string;
  readonly bytes: bigint;
}

const atOnce = 4;

/** Reads every log that was moved to the store, line by line: none is missing (R9), and none holds a secret (R17). */
export async function auditLogs(store: ObjectStore, search: SecretSearch): Promise<Finding[]> {
  const whole = new RuleCount({
    invariant: "R9",
    says: "the lines of a log in the store are numbered and placed without a gap",
  });
  const clean = new RuleCount({ invariant: "R17", says: "a log in the store holds no secret" });
  const moved = await database().$queryRaw<Moved[]>`
    SELECT build_id AS "buildId", epoch, log_object AS object, log_bytes AS bytes
    FROM attempt WHERE log_object IS NOT NULL`;
  await eachOf(moved, atOnce, async ({ buildId, epoch, object, bytes }) => {
    const subject = `log of attempt ${epoch} of bld_${buildId}`;
    // What is not there is told with the other objects.
    if (!(await store.head(buckets.logs, object))) return;
    const { fault, secret } = await readThrough(store, object, { bytes, search });
    whole.note(subject, fault);
    clean.note(subject, secret);
  });
  return [whole.finding, clean.finding];
}

async function readThrough(
  store: ObjectStore,
  object: string,
  { bytes, search }: { readonly bytes: bigint; readonly search: SecretSearch },
) {
  const { stream } = await store.get(buckets.logs, object);
  let fault: string | null = null;
  let secret: string | null = null;
  let next = 1;
  let offset = 0;
  for await (const row of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
    secret ??= search.faultOf(row);
    const line = parseLine(row);
    if (!line) fault ??= `what follows line ${next - 1} is no line`;
    else if (line.n !== next || line.offset !== offset)
      fault ??= `line ${line.n} at byte ${line.offset} follows line ${next - 1}, which ends at byte ${offset}`;
    next++;
    offset += line ? Buffer.byteLength(line.text) + 1 : 0;
  }
  if (BigInt(offset) !== bytes) fault ??= `it has ${offset} bytes, not ${bytes}`;
  return { fault, secret };
}

function parseLine(row: string): LogLine | null {
  try {
    return JSON.parse(row) as LogLine;
  } catch {
    return null;
  }
}
