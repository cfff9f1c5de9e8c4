/** How a state feels; always drawn with an icon and a word, never with colour alone. */
export type Tone = "ok" | "run" | "warn" | "bad" | "info" | "idle";

/** How a state is drawn. */
export interface Appearance {
  readonly tone: Tone;
  readonly label: string;
  /** What it means and what comes next, one sentence. */
  readonly why: string;
}

export const toneClass = {
  ok: "text-ok",
  run: "text-accent",
  warn: "text-warn",
  bad: "text-bad",
  info: "text-info",
  idle: "text-muted",
} as const satisfies Record<Tone, string>;
