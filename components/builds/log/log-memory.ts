import { useEffect, useState } from "react";

/** What stands beside the lines of a log: nothing, the time, the time since its beginning, or since the line before. */
export const timeKinds = ["off", "absolute", "relative", "delta"] as const;
export type TimeKind = (typeof timeKinds)[number];

/** Which folds are open where nobody has chosen: as the build stands, all, or none. */
type FoldKind = "auto" | "open" | "closed";

/** How somebody likes to read logs. */
export interface LogMemory {
  readonly times: TimeKind;
  readonly folds: FoldKind;
  readonly wrap: boolean;
}

const key = "boardwalk.log";
const initial: LogMemory = { times: "off", folds: "auto", wrap: false };

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
    const { times, folds, wrap } = JSON.parse(localStorage.getItem(key) ?? "{}") as Record<
      string,
      unknown
    >;
    return {
      times: timeKinds.find((each) => each === times) ?? initial.times,
      folds: folds === "open" || folds === "closed" ? folds : initial.folds,
      wrap: wrap === true,
    };
  } catch {
    return initial;
  }
}
