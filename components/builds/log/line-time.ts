import type { LogLine } from "@/lib/common/contract";
import type { TimeKind } from "./log-memory";

interface TimeContext {
  /** When the first line of the log was written. */
  readonly startTime: string | undefined;
  /** The line before, if it is here. */
  readonly before: LogLine | undefined;
}

/** When a line was written, as it stands beside it; null where nothing is shown. */
export function lineTime(
  kind: TimeKind,
  { time }: LogLine,
  { startTime, before }: TimeContext,
): string | null {
  switch (kind) {
    case "off":
      return null;
    case "absolute":
      return localTime(new Date(time));
    case "relative":
      return startTime === undefined ? null : seconds(Date.parse(time) - Date.parse(startTime));
    case "delta":
      return before === undefined
        ? null
        : `+${seconds(Date.parse(time) - Date.parse(before.time))}`;
  }
}

/** `12:03:09.120`, where the reader is. */
function localTime(date: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const ms = String(date.getMilliseconds()).padStart(3, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${ms}`;
}

const seconds = (ms: number) => (Math.max(0, ms) / 1000).toFixed(3);
