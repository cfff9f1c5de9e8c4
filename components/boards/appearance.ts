import type { Appearance } from "@/components/ui";
import type { BoardState, SlotState } from "@/lib/common/contract";

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

/** What the first LED of the drawing shows. */
export const ledOf = {
  free: "off",
  leased: "off",
  programming: "busy",
  serving: "ok",
  degraded: "bad",
  offline: "off",
} as const satisfies Record<BoardState, "ok" | "busy" | "bad" | "off">;
