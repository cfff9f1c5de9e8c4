import type { Cost } from "@/bench/serving/costs";

/** Prints rows below their heads, each column as wide as its widest text. */
export function printTable(heads: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = heads.map((head, i) =>
    Math.max(head.length, ...rows.map((cells) => (cells[i] ?? "").length)),
  );
  for (const cells of [heads, ...rows]) {
    const line = cells.map((cell, i) =>
      i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
    );
    process.stdout.write(`  ${line.join("  ")}\n`);
  }
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

export const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
export const kib = (bytes: number): string => (bytes / 1024).toFixed(1);
export const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 1);

/** Cores that the processes took whose names begin so. */
export function coresOf(costs: readonly Cost[], name: string): number {
  return costs
    .filter((cost) => cost.name.startsWith(name))
    .reduce((sum, { cores }) => sum + cores, 0);
}
