import type { BuildWorker } from "@/lib/common/contract";

/** That tools run less than wholly shut in on some machine: what it means, and what mends it. */
export interface SandboxNotice {
  readonly key: string;
  readonly tone: "bad" | "warn";
  readonly title: string;
  readonly text: string;
  readonly mend: string | null;
}

const words = {
  none: {
    tone: "bad",
    title: "Tools run without a sandbox",
    text: "Whatever a model makes a tool do, it does as the build worker's user, with the network and with all files of that user. Build only models of people whom everybody here trusts.",
  },
  setpriv: {
    tone: "warn",
    title: "Tools run in a lesser sandbox",
    text: "They have no network and no other processes in sight, but the build worker's user's files lie open to them. Build only models of people whom everybody here trusts.",
  },
} as const;

/** One notice for each way in which a machine falls short, the worst first; none where all tools are wholly shut in. */
export function sandboxNotices(workers: readonly BuildWorker[]): readonly SandboxNotice[] {
  const notices = new Map<string, SandboxNotice>();
  for (const { host, sandbox, mend } of workers) {
    if (sandbox === "bubblewrap") continue;
    const { tone, title, text } = words[sandbox];
    const key = JSON.stringify([host, sandbox, mend]);
    notices.set(key, { key, tone, title: `${title} on ${host}.`, text, mend });
  }
  return [...notices.values()].toSorted(
    (a, b) => Number(b.tone === "bad") - Number(a.tone === "bad"),
  );
}
