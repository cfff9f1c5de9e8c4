/** A colour as every program that reads SVG understands it. */
interface PlainColour {
  readonly text: string;
  /** False of one that is transparent. */
  readonly isSeen: boolean;
}

const known = new Map<string, PlainColour>();
let context: CanvasRenderingContext2D | null | undefined;

/** Turns a colour of a computed style, mixed or in any colour space, into `#rrggbb` or `rgba(…)`. */
export function plainColour(colour: string): PlainColour {
  const found = known.get(colour);
  if (found) return found;
  context ??= document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!context) return { text: colour, isSeen: true };
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
  const hex = [red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("");
  const text =
    alpha === 255 ? `#${hex}` : `rgba(${red}, ${green}, ${blue}, ${(alpha / 255).toFixed(3)})`;
  const plain = { text, isSeen: alpha > 0 };
  known.set(colour, plain);
  return plain;
}
