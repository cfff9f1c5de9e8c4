import { useEffect, useState } from "react";

/** What stands beside the lines of a log: nothing, the time, the time since its beginning, or since the line before. */
export const timeKinds = ["off", "absolute", "relative", "delta"] as const;
export type TimeKind = (typeof timeKinds)[number];

/** Which folds are open where nobody has chosen: as the build stands, all, or none. */
type FoldKind = "auto" | "open" | "closed";

/** How large the lines are written. */
export const textSizes = ["normal", "large", "larger"] as const;
type TextSize = (typeof textSizes)[number];

/** Of a line of each size, in pixels; `high` is the distance from one to the next. */
export const linePx: Readonly<Record<TextSize, { readonly font: number; readonly high: number }>> =
  {
    normal: { font: 13, high: 20 },
    large: { font: 16, high: 25 },
    larger: { font: 20, high: 31 },
  };

/** How somebody likes to read logs. */
export interface LogMemory {
  readonly times: TimeKind;
  readonly folds: FoldKind;
  readonly wrap: boolean;
  readonly textSize: TextSize;
}

const key = "boardwalk.log";
const initial: LogMemory = { times: "off", folds: "auto", wrap: false, textSize: "normal" };

/** How logs are read on this browser, remembered from one to the next. */
export function useLogMemory(): readonly [LogMemory, (change: Partial<LogMemory>) => void] {
  const [memory, setMemory] = useState(initial);
  useEffect(() => setMemory(readMemory()), []);
  const change = (some: Partial<LogMemory>) => {
    const next = { ...memory, ...some };
    setMemory(next);
    try {
      localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // Nothing is kept where nothing may be.
    }
  };
  return [memory, change];
}

function readMemory(): LogMemory {
  try {
    const { times, folds, wrap, textSize } = JSON.parse(
      localStorage.getItem(key) ?? "{}",
    ) as Record<string, unknown>;
    return {
      times: timeKinds.find((each) => each === times) ?? initial.times,
      folds: folds === "open" || folds === "closed" ? folds : initial.folds,
      wrap: wrap === true,
      textSize: textSizes.find((each) => each === textSize) ?? initial.textSize,
    };
  } catch {
    return initial;
  }
}
