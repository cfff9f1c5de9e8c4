import type { ChildEnd } from "./child-end";
import type { ChildOutput } from "./child-output";
import { cpuMsOf, descendantsOf, measureFolder, residentBytes } from "./proc";

const watchMs = 250;
/** Between looks at the folder, which cost a call for each file of it. */
const diskWatchMs = 1000;

/** What a child may use before it is ended. */
export interface ChildLimits {
  /** Longest run, and longest silence on both outputs. */
  readonly wallMs?: number;
  readonly idleMs?: number;
  /** Resident memory of the whole tree. Address space is no measure: WebAssembly reserves 40 GiB of it. */
  readonly memoryBytes?: number;
  readonly processes?: number;
  /** Processor time of the whole tree, with that of processes which are over. */
  readonly cpuMs?: number;
  /** What the working folder may come to hold. */
  readonly diskBytes?: number;
  readonly files?: number;
}

interface Watched {
  readonly pid: number | undefined;
  readonly cwd: string;
  readonly output: ChildOutput;
  readonly limits: ChildLimits;
  /** Called again while the child is over a limit. */
  readonly onOver: (why: ChildEnd) => void;
}

/** Measures a child and all below it until closed, and says which limit it went over. */
export class LimitWatch {
  peakBytes = 0;
  private readonly watched: Watched;
  private readonly timers: readonly (NodeJS.Timeout | undefined)[];

  constructor(watched: Watched) {
    this.watched = watched;
    const { wallMs } = watched.limits;
    this.timers = [
      setInterval(() => this.look(), watchMs),
      this.watchDisk(),
      wallMs === undefined ? undefined : setTimeout(() => watched.onOver("wall"), wallMs),
    ];
  }

  close(): void {
    for (const timer of this.timers) clearTimeout(timer);
  }

  private look(): void {
    const { pid, output, limits, onOver } = this.watched;
    const now = performance.now();
    const tree = pid === undefined ? [] : [pid, ...descendantsOf(pid)];
    const bytes = tree.reduce((sum, one) => sum + residentBytes(one), 0);
    this.peakBytes = Math.max(this.peakBytes, bytes);
    const { memoryBytes, processes, cpuMs, idleMs } = limits;
    if (memoryBytes !== undefined && bytes > memoryBytes) onOver("memory");
    else if (processes !== undefined && tree.length > processes) onOver("processes");
    else if (cpuMs !== undefined && cpuMsOf(tree) > cpuMs) onOver("cpu");
    else if (idleMs !== undefined && !output.isTaking && now - output.lastMs > idleMs)
      onOver("idle");
  }

  private watchDisk(): NodeJS.Timeout | undefined {
    const { cwd, limits, onOver } = this.watched;
    const { diskBytes = Number.POSITIVE_INFINITY, files = Number.POSITIVE_INFINITY } = limits;
    if (diskBytes === Number.POSITIVE_INFINITY && files === diskBytes) return undefined;
    return setInterval(() => {
      const found = measureFolder(cwd, { bytes: diskBytes, files });
      if (found.bytes > diskBytes) onOver("disk");
      else if (found.files > files) onOver("files");
    }, diskWatchMs);
  }
}
