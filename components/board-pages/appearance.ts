import type { Appearance } from "@/components/ui";
import type { Attachment, TrialStep } from "@/lib/common/contract";

/** How an attachment looks. */
export const attachmentAppearance = {
  testing: { tone: "run", label: "being tried", why: "Its board server tries it." },
  attached: { tone: "ok", label: "attached", why: "It passed its trial and is a board." },
  refused: { tone: "bad", label: "refused", why: "It failed its trial and is no board." },
} as const satisfies Record<Attachment["state"], Appearance>;

/** How a step of a trial looks. */
export const trialStepAppearance = {
  waiting: { tone: "idle", label: "waiting", why: "The steps before come first." },
  running: { tone: "run", label: "running", why: "The board has not answered yet." },
  succeeded: { tone: "ok", label: "done", why: "The board answered as it should." },
  failed: { tone: "bad", label: "failed", why: "The board did not do it." },
} as const satisfies Record<TrialStep["state"], Appearance>;
