import type { Appearance } from "@/components/ui";
import type { BoardState } from "@/lib/common/contract";

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

/** What the first LED of the drawing shows. */
export const ledOf = {
  free: "off",
  leased: "off",
  programming: "busy",
  serving: "ok",
  degraded: "bad",
  offline: "off",
} as const satisfies Record<BoardState, "ok" | "busy" | "bad" | "off">;
