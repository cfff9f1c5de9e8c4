import type { Random } from "@/compiler/random";
import { chance, pick } from "./random-of";

/** A JSON Schema, as OpenAPI 3.1 has it. */
export type Schema = Readonly<Record<string, unknown>>;

/** Texts that break readers, stores and pages. */
export const texts: readonly string[] = [
  "",
  " ",
  "a",
  "A b",
  "../../etc/passwd",
  "%00",
  "\u0000",
  "\ud800",
  "\u202egnp.exe",
  "\u001b]0;title\u0007",
  "<script>alert(1)</script>",
  "'; DROP TABLE build; --",
  "$(id)",
  "{{7*7}}",
  "x".repeat(300),
  "é".repeat(70_000),
  "NaN",
  "-1",
  "1e999",
  "null",
  "undefined",
  "__proto__",
  "9223372036854775808",
  "2026-02-30T25:61:00Z",
  "http://169.254.169.254/latest/meta-data",
  "http://[::ffff:7f00:1]:80/",
  "https://user:secret@example.org/m.onnx#x",
  "s3://boardwalk-artifacts/x",
  "file:///etc/passwd",
  "sha256:",
  `sha256:${"0".repeat(64)}`,
  "bld_00000000-0000-7000-8000-000000000000",
  "[",
  "(a+)+$",
];
const numbers: readonly number[] = [
  0,
  -0,
  -1,
  1,
  0.5,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  Number.MIN_VALUE,
];

/** Something that a schema takes, most of the time: patterns and formats are not followed. */
export function fromSchema(schema: Schema, random: Random, known: readonly string[]): unknown {
  const either = (schema["anyOf"] ?? schema["oneOf"]) as Schema[] | undefined;
  if (either) return fromSchema(pick(either, random), random, known);
  const all = schema["allOf"] as Schema[] | undefined;
  if (all) return fromSchema(Object.assign({}, ...all), random, known);
  if (schema["const"] !== undefined) return schema["const"];
  if (Array.isArray(schema["enum"])) return pick(schema["enum"], random);
  const type = Array.isArray(schema["type"]) ? pick(schema["type"], random) : schema["type"];
  switch (type) {
    case "object":
      return objectOf(schema, random, known);
    case "array":
      return Array.from({ length: random.integer(0, 3) }, () =>
        fromSchema((schema["items"] as Schema) ?? {}, random, known),
      );
    case "integer":
      return random.integer(
        Math.max(Number(schema["minimum"] ?? 0), -1000),
        Math.min(Number(schema["maximum"] ?? 100), 100_000),
      );
    case "number":
      return random.integer(-1000, 1000) / 8;
    case "boolean":
      return chance(2, random);
    case "null":
      return null;
    case "string":
      return chance(3, random) ? pick(texts, random) : pick(known, random);
    default:
      return anything(random);
  }
}

function objectOf(schema: Schema, random: Random, known: readonly string[]): object {
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, Schema>);
  const required = new Set((schema["required"] ?? []) as string[]);
  const entries = properties
    .filter(([name]) => required.has(name) || chance(2, random))
    .map(([name, each]) => [name, fromSchema(each, random, known)] as const);
  return Object.fromEntries(entries);
}

/** What no schema asked for. */
export function anything(random: Random): unknown {
  switch (random.integer(0, 6)) {
    case 0:
      return pick(numbers, random);
    case 1:
      return null;
    case 2:
      return chance(2, random);
    case 3:
      return [anything(random)];
    case 4:
      return { [pick(texts, random)]: pick(numbers, random) };
    case 5:
      return Array.from({ length: 2000 }, () => 0);
    default:
      return pick(texts, random);
  }
}

/** The same value with one part of it replaced, left out, doubled or renamed. */
export function spoilt(value: unknown, random: Random): unknown {
  if (typeof value !== "object" || value === null || chance(4, random)) return anything(random);
  if (Array.isArray(value)) {
    const at = random.integer(0, value.length);
    return [...value.slice(0, at), spoilt(value[at], random), ...value.slice(at + 1)];
  }
  const entries = Object.entries(value);
  const at = random.integer(0, entries.length);
  const [name, old] = entries[at] ?? [pick(texts, random), null];
  const others = entries.filter((_, i) => i !== at);
  if (chance(4, random)) return Object.fromEntries(others);
  const key = chance(5, random) ? pick(texts, random) : name;
  return Object.fromEntries([...others, [key, spoilt(old, random)]]);
}
