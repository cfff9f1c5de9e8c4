/**
 * Reads files made by seed, and tells its parent of each: whatever a file does to the engine of our language, only this ends by it.
 */
import { once } from "node:events";
import { httpStatusOf, isAppError, toAppError } from "@/lib/common/errors";
import { randomOf } from "../random-of";
import { type Subject, subjects } from "./subjects";
import type { Case, Task, Told } from "./try-many";

const [{ cases, seed }] = (await once(process, "message")) as [Task];
const tell = (told: Told) => new Promise((resolve) => process.send?.(told, resolve));
/** Times that memory is looked at. */
const windows = 8;
/** Characters that a message and its hint may have. */
const longest = 4000;

async function read({ subject: name, number }: Case): Promise<Told> {
  const subject = subjects.find((each) => each.name === name) as Subject;
  const { bytes, breaksRule = false } = subject.make(randomOf(seed, number));
  const { user, system } = process.cpuUsage();
  const { answer, fault } = await subject.read(bytes).then(
    (taken) => ({
      answer: taken,
      fault: breaksRule ? "was taken though a member breaks a rule" : null,
    }),
    (thrown: unknown) => ({ answer: toAppError(thrown).reason, fault: wrongWith(thrown) }),
  );
  const spent = process.cpuUsage({ user, system });
  return { kind: "read", answer, fault, cpuMs: (spent.user + spent.system) / 1000 };
}

function wrongWith(thrown: unknown): string | null {
  if (!isAppError(thrown)) return `${thrown instanceof Error ? thrown.stack : thrown}`;
  const status = httpStatusOf(thrown);
  if (status >= 500 && status !== 501) return "a fault of ours";
  const text = `${thrown.message} ${thrown.hint ?? ""}`;
  if (text.length > longest) return `${text.length} characters of message`;
  return /node_modules|\bat .*\.ts:\d+/.test(text) ? `words of the inside: ${text}` : null;
}

for (const [at, each] of cases.entries()) {
  await tell({ kind: "begun", at });
  await tell(await read(each));
  if (at % Math.ceil(cases.length / windows) === 0) {
    globalThis.gc?.();
    const { heapUsed, rss } = process.memoryUsage();
    await tell({ kind: "memory", heapMiB: heapUsed / 2 ** 20, residentMiB: rss / 2 ** 20 });
  }
}
process.disconnect();
