import type { PrecisionTry } from "@/lib/common/contract";
import { answerThread } from "@/lib/server/process";
import { type PrecisionSearch, type SearchStart, searchPrecision } from "./search-precision";

/** `start` answers what the search will be, `next` its next try, or null after the last. */
export type SearchTask = ({ readonly kind: "start" } & PrecisionSearch) | { readonly kind: "next" };

export type SearchStarted = Omit<SearchStart, "tries">;

let tries: Iterator<PrecisionTry> | null = null;

answerThread((task: SearchTask): SearchStarted | PrecisionTry | null => {
  if (task.kind === "start") {
    const { tries: begun, ...started } = searchPrecision(task);
    tries = begun;
    return started;
  }
  const next = tries?.next();
  return next && !next.done ? next.value : null;
});
