import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

/** What earlier runs came to by what the tools were given, so that a stopped run goes on, and new estimates meet old figures. */
export interface Memory<Outcome> {
  find(key: string): Outcome | null;
  add(key: string, outcome: Outcome): void;
}

interface Line<Outcome> {
  readonly key: string;
  readonly outcome: Outcome;
}

/** @param file JSON lines of such outcomes, made where it is missing. The last of equal keys counts. */
export function openMemory<Outcome>(file: string): Memory<Outcome> {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const known = new Map(
    lines.flatMap((text) => {
      // A run that was stopped may have left half a line.
      if (!text.startsWith("{") || !text.endsWith("}")) return [];
      const { key, outcome } = JSON.parse(text) as Line<Outcome>;
      return [[key, outcome] as const];
    }),
  );
  mkdirSync(dirname(file), { recursive: true });
  return {
    find: (key) => known.get(key) ?? null,
    add(key, outcome) {
      known.set(key, outcome);
      appendFileSync(file, `${JSON.stringify({ key, outcome } satisfies Line<Outcome>)}\n`);
    },
  };
}
