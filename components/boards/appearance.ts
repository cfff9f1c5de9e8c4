import type { Appearance } from "@/components/ui";
import type { Attachment, BoardState, SlotState, TrialStep } from "@/lib/common/contract";

/** How each state of a board looks, and what it means in a sentence. */
export const boardAppearance = {
  free: { tone: "idle", label: "free", why: "Nothing is loaded on it; a deploy can take it." },
  leased: { tone: "info", label: "leased", why: "Somebody holds it for a while." },
  programming: {
    tone: "run",
    label: "programming",
    why: "An artifact is being loaded and tested.",
  },
  serving: { tone: "ok", label: "serving", why: "It passed its self-test and answers requests." },
  degraded: {
    tone: "warn",
    label: "degraded",
    why: "It answers, but not everything is as it should be.",
  },
  offline: {
    tone: "bad",
    label: "offline",
    why: "Its board server has not been heard for a while.",
  },
} as const satisfies Record<BoardState, Appearance>;

/** How each state of a slot looks, and what it means in a sentence. */
export const slotAppearance = {
  empty: { tone: "idle", label: "empty", why: "Nothing is loaded." },
  loading: { tone: "run", label: "loading", why: "The artifact is being loaded." },
  testing: { tone: "run", label: "testing", why: "The board answers the test vectors." },
  serving: { tone: "ok", label: "serving", why: "It answers requests." },
  unknown: { tone: "warn", label: "unknown", why: "Its board server has not reported it yet." },
  unreachable: { tone: "bad", label: "unreachable", why: "Its board server is silent." },
} as const satisfies Record<SlotState, Appearance>;

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

/** What the first LED of the drawing shows. */
export const ledOf = {
  free: "off",
  leased: "off",
  programming: "busy",
  serving: "ok",
  degraded: "bad",
  offline: "off",
} as const satisfies Record<BoardState, "ok" | "busy" | "bad" | "off">;
