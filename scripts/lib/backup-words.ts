import type { BackupProgress } from "@/domain/backups";
import { isAppError } from "@/lib/common/errors";
import { end, Fixable, step } from "./say.mjs";

/** Bytes in words: `12 kB`, `3.4 GB`. */
export function size(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const at = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const value = bytes / 1000 ** at;
  return `${value < 10 && at > 0 ? value.toFixed(1) : Math.round(value)} ${units[at]}`;
}

/** Bytes in a time as a rate: `38.0 MB/s`. */
export const speed = (bytes: number, ms: number): string =>
  `${(bytes / 1000 / Math.max(ms, 1)).toFixed(1)} MB/s`;

/** Does a work that tells its progress, and says so while it lasts. */
export async function watched<Answer>(
  title: string,
  work: (onProgress: (progress: BackupProgress) => void) => Promise<Answer>,
): Promise<Answer> {
  const answers: Answer[] = [];
  await step(title, async (note: (text: string) => void) => {
    answers.push(await work(({ part, count, bytes }) => note(`${count} ${part}, ${size(bytes)}`)));
  });
  return answers[0] as Answer;
}

/** Ends a process by what went wrong: what a person can mend without a stack. */
export function endBadly(error: unknown): void {
  if (isAppError(error)) {
    const { message, hint } = error;
    end(new Fixable(hint ? `${message} ${hint}` : message));
  } else end(error);
}
