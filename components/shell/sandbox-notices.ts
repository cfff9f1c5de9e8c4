import type { BuildWorker } from "@/lib/common/contract";

/** That tools run less than wholly shut in on some machine, and what mends it. */
export interface SandboxNotice {
  readonly key: string;
  readonly tone: "bad" | "warn";
  readonly sandbox: "none" | "setpriv";
  readonly host: string;
  readonly mend: string | null;
}

const tones = { none: "bad", setpriv: "warn" } as const;

/** One notice for each way in which a machine falls short, the worst first; none where all tools are wholly shut in. */
export function sandboxNotices(workers: readonly BuildWorker[]): readonly SandboxNotice[] {
  const notices = new Map<string, SandboxNotice>();
  for (const { host, sandbox, mend } of workers) {
    if (sandbox === "bubblewrap") continue;
    const key = JSON.stringify([host, sandbox, mend]);
    notices.set(key, { key, tone: tones[sandbox], sandbox, host, mend });
  }
  return [...notices.values()].toSorted(
    (a, b) => Number(b.tone === "bad") - Number(a.tone === "bad"),
  );
}
