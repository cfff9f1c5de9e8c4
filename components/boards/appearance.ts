import type { Appearance } from "@/components/ui";
import type { BoardState } from "@/lib/common/contract";

/** How each state of a board feels. */
export const boardTones = {
  free: "idle",
  leased: "info",
  programming: "run",
  serving: "ok",
  degraded: "warn",
  offline: "bad",
} as const satisfies Record<BoardState, Appearance["tone"]>;

/** What the first LED of the drawing shows. */
export const ledOf = {
  free: "off",
  leased: "off",
  programming: "busy",
  serving: "ok",
  degraded: "bad",
  offline: "off",
} as const satisfies Record<BoardState, "ok" | "busy" | "bad" | "off">;
