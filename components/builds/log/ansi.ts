/** A run of text that looks alike. */
export interface Segment {
  readonly text: string;
  /** A CSS colour; undefined is the colour of the log. */
  readonly colour?: string | undefined;
  readonly background?: string | undefined;
  readonly bold?: boolean | undefined;
  readonly faint?: boolean | undefined;
  readonly italic?: boolean | undefined;
  readonly underline?: boolean | undefined;
}

type Style = Omit<Segment, "text">;

const sgr = /\x1b\[([0-9;:]*)m/g;
/** Whatever else starts with an escape, and control characters that a line cannot hold. */
const leftovers =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)?|[\x00-\x08\x0b-\x1f\x7f]/g;

const cubeSteps = [0, 95, 135, 175, 215, 255];

/** Colour n of the 256-colour palette: 16 themed ones, a 6×6×6 cube, 24 greys. Those beyond 16 are mixed toward the text, so that they pass on both themes. */
function paletteColour(n: number): string | undefined {
  if (!(n >= 0 && n <= 255)) return undefined;
  if (n < 16) return `var(--ansi-${n % 8})`;
  if (n >= 232) return rgb(8 + (n - 232) * 10, 8 + (n - 232) * 10, 8 + (n - 232) * 10);
  const index = n - 16;
  const step = (place: number) => cubeSteps[Math.floor(index / place) % 6] ?? 0;
  return rgb(step(36), step(6), step(1));
}

const rgb = (r: number, g: number, b: number) =>
  `color-mix(in srgb, rgb(${r} ${g} ${b}) 45%, var(--text))`;

/** Reads `38;5;n` and `38;2;r;g;b` from their second code on; answers the colour and how many codes it took. */
function extendedColour(codes: readonly number[]): [string | undefined, number] {
  const [mode, a = 0, b = 0, c = 0] = codes;
  if (mode === 5) return [paletteColour(a), 2];
  if (mode === 2) return [rgb(a, b, c), 4];
  return [undefined, 0];
}

function apply(style: Style, codes: readonly number[]): Style {
  let next = style;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 0) next = {};
    else if (code === 1) next = { ...next, bold: true };
    else if (code === 2) next = { ...next, faint: true };
    else if (code === 3) next = { ...next, italic: true };
    else if (code === 4) next = { ...next, underline: true };
    else if (code === 22) next = { ...next, bold: undefined, faint: undefined };
    else if (code === 23) next = { ...next, italic: undefined };
    else if (code === 24) next = { ...next, underline: undefined };
    else if (code >= 30 && code <= 37) next = { ...next, colour: `var(--ansi-${code - 30})` };
    else if (code >= 90 && code <= 97) next = { ...next, colour: `var(--ansi-${code - 90})` };
    else if (code === 39) next = { ...next, colour: undefined };
    else if (code === 49) next = { ...next, background: undefined };
    else if (code >= 40 && code <= 47)
      next = { ...next, background: wash(`var(--ansi-${code - 40})`) };
    else if (code === 38 || code === 48) {
      const [colour, taken] = extendedColour(codes.slice(at + 1));
      at += taken;
      next = code === 38 ? { ...next, colour } : { ...next, background: colour && wash(colour) };
    }
  }
  return next;
}

const wash = (colour: string) => `color-mix(in srgb, ${colour} 18%, transparent)`;

/**
 * Splits a log line into runs of one look by its SGR sequences. Every other escape is dropped, and of a line that was
 * redrawn by carriage returns the last state is kept.
 */
export function parseAnsi(line: string): readonly Segment[] {
  const drawn = line.replace(/\r+$/, "");
  const text = drawn.slice(drawn.lastIndexOf("\r") + 1);
  const segments: Segment[] = [];
  let style: Style = {};
  let at = 0;
  const push = (end: number) => {
    const run = text.slice(at, end).replace(leftovers, "");
    if (run !== "") segments.push({ ...style, text: run });
  };
  for (const match of text.matchAll(sgr)) {
    push(match.index);
    style = apply(style, (match[1] ?? "").split(/[;:]/).map(Number));
    at = match.index + match[0].length;
  }
  push(text.length);
  return segments;
}
