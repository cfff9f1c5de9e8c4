import type { WaveControl } from "./use-wave-view";

/** What a key does to a wave; null for a key that is not its own. */
export function keyAction(
  { key, shiftKey }: Pick<KeyboardEvent, "key" | "shiftKey">,
  wave: WaveControl,
): (() => void) | null {
  const { cursor, moveTo, jump, zoomBy, panFrom, view, size, fit } = wave;
  const actions = new Map<string, () => void>([
    ["ArrowRight", () => (shiftKey ? jump(1) : moveTo(cursor + 1))],
    ["ArrowLeft", () => (shiftKey ? jump(-1) : moveTo(cursor - 1))],
    ["ArrowUp", () => moveTo(cursor + 1)],
    ["ArrowDown", () => moveTo(cursor - 1)],
    ["PageDown", () => panFrom(view, size.width * 0.75)],
    ["PageUp", () => panFrom(view, size.width * -0.75)],
    ["Home", () => moveTo(0)],
    ["End", () => moveTo(size.length - 1)],
    ["+", () => zoomBy(0.5)],
    ["=", () => zoomBy(0.5)],
    ["-", () => zoomBy(2)],
    ["0", fit],
  ]);
  return actions.get(key) ?? null;
}
