import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { cpuMsOf, descendantsOf, residentBytes } from "@/lib/server/process";

/** What the processes of one kind took. */
export interface Cost {
  /** What they run: the entry of a Node process, the program of another. */
  readonly name: string;
  /** Processor seconds a second: 1 is a core. */
  readonly cores: number;
  readonly memoryMib: number;
}

/** Looks at the processes of a server from now on; what it answers tells what they took since. */
export function startCosts(roots: readonly number[]): () => readonly Cost[] {
  const pids = roots.flatMap((root) => [root, ...descendantsOf(root)]);
  const before = pids.map((pid) => ({ pid, name: nameOf(pid), cpuMs: ownCpuMs(pid) }));
  const startMs = performance.now();
  return () => {
    const elapsedMs = performance.now() - startMs;
    const costs = new Map<string, { cpuMs: number; bytes: number }>();
    for (const { pid, name, cpuMs } of before) {
      const sum = costs.get(name) ?? { cpuMs: 0, bytes: 0 };
      sum.cpuMs += Math.max(0, ownCpuMs(pid) - cpuMs);
      sum.bytes += residentBytes(pid);
      costs.set(name, sum);
    }
    return [...costs]
      .map(([name, { cpuMs, bytes }]) => ({
        name,
        cores: cpuMs / elapsedMs,
        memoryMib: bytes / 2 ** 20,
      }))
      .toSorted((a, b) => b.cores - a.cores);
  };
}

/** Of the process alone: what a child took would come all at once when that ends. */
const ownCpuMs = (pid: number): number => cpuMsOf([pid], { withChildren: false });

function nameOf(pid: number): string {
  const words = readOr(`/proc/${pid}/cmdline`).split("\0");
  const entry = words.find((word) => /\.(mjs|cjs|js|py)$/.test(word)) ?? words[0] ?? "";
  return basename(entry.split(" ")[0] ?? "").replace(/\.[a-z]+$/, "") || String(pid);
}

function readOr(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
