import type { Random } from "@/compiler/random";
import { anything, texts } from "../from-schema";
import { chance, pick } from "../random-of";

/** A place in a JSON value. */
interface Place {
  readonly within: Record<string, unknown>;
  readonly key: string;
}

/** One to three changes somewhere in a JSON text, which may hold what only Python reads; one in twelve is written as no JSON is. */
export function spoilJson(text: string, random: Random): Uint8Array {
  const root: { value?: unknown } = {
    value: JSON.parse(text.replace(/: -?(NaN|Infinity)\b/g, ": 0")),
  };
  const times = random.integer(1, 3);
  for (let i = 0; i < times; i += 1) {
    const place = pick(placesOf(root), random);
    if (place) spoilOnce(place, root, random);
  }
  const written = JSON.stringify(root.value) ?? "";
  return Buffer.from(
    chance(12, random) ? written.replace(/\d+/, pick(noNumbers, random)) : written,
  );
}

const noNumbers = ["NaN", "-Infinity", "1e999", "01", "0x1f", "9".repeat(400), "[".repeat(9000)];

function placesOf(value: unknown): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const within = value as Record<string, unknown>;
  // Of long lists of numbers, a few are enough to be met.
  const keys = Object.keys(within);
  const met = keys.length > 40 ? [...keys.slice(0, 5), ...keys.slice(-2)] : keys;
  return met.flatMap((key) => [{ within, key }, ...placesOf(within[key])]);
}

function spoilOnce({ within, key }: Place, root: object, random: Random): void {
  const value = within[key];
  switch (random.integer(0, 11)) {
    case 0:
      if (Array.isArray(within)) within.splice(Number(key), 1);
      else delete within[key];
      return;
    case 1: {
      const other = pick(placesOf(root), random);
      within[key] = structuredClone(other.within[other.key]);
      return;
    }
    case 2:
      if (Array.isArray(value)) value.push(...structuredClone(value));
      else within[`${key} `] = value;
      return;
    case 3:
      // Deeper than this the text is made of itself, below: recursion would end it here already.
      for (let depth = pick([1, 3, 100], random); depth > 0; depth -= 1) {
        within[key] = chance(2, random) ? [within[key]] : { [key]: within[key] };
      }
      return;
    case 4:
      within[key] = typeof value === "number" ? -value - 1 : String(value);
      return;
    case 5:
      within[key] = pick([2 ** 31, -1, 2 ** 53, 1e300, 0.5, "2147483648", "-1"], random);
      return;
    case 6:
      within[key] = anything(random);
      return;
    default:
      within[key] = oddOfItsKind(value, random);
  }
}

/** What a reader that looks at types alone takes. */
function oddOfItsKind(value: unknown, random: Random): unknown {
  switch (typeof value) {
    case "number":
      return pick(
        [0, -1, 1, 255, 65_535, 65_536, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, -(2 ** 31) - 1],
        random,
      );
    case "string":
      return chance(3, random) ? `${value}\u0000\ud800` : pick(oddStrings, random);
    case "boolean":
      return !value;
    default:
      return Array.isArray(value) ? value.flatMap((each) => [each, each]) : value;
  }
}

const oddStrings = [...texts, "x".repeat(20_000), "-0", "0x1", "1_0"];
