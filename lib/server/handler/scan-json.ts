import { type AppError, fail, type Reason } from "@/lib/common/errors";

const limits = { depth: 64, keys: 10_000, values: 100_000 };
const forbidden = new Set(["__proto__", "constructor", "prototype"]);
const numberPattern = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const stringPattern = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const blankPattern = /[ \t\n\r]*/y;
const wordPattern = /true|false|null/y;

/**
 * Parses a JSON body that must be exactly JSON and simple enough for any code behind it: everything is decided while
 * scanning, without recursion, before a parser sees it.
 *
 * @throws {AppError} `INVALID_JSON`, `JSON_TOO_COMPLEX`, `DUPLICATE_KEY`, `FORBIDDEN_KEY`, `NUMBER_OUT_OF_RANGE`
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  scan(text);
  return JSON.parse(text);
}

function decode(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (text.startsWith("\ufeff")) throw invalid("it begins with a byte order mark");
    return text;
  } catch (error) {
    if (error instanceof TypeError) throw invalid("it is not UTF-8");
    throw error;
  }
}

/** One open bracket: the keys so far of an object, null for an array. */
type Open = Set<string> | null;

function scan(text: string): void {
  const open: Open[] = [];
  let at = 0;
  let keys = 0;
  let values = 0;

  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? null;
    if (found !== null) at += found.length;
    return found;
  };
  const skip = () => void take(blankPattern);
  const expect = (character: string) => {
    skip();
    if (text[at] !== character) throw invalid(`"${character}" was expected`, at);
    at++;
  };
  const key = (known: Set<string>) => {
    skip();
    const literal = take(stringPattern);
    if (literal === null) throw invalid("a key was expected", at);
    const name: string = JSON.parse(literal);
    if (forbidden.has(name)) throw refuse("FORBIDDEN_KEY", `The key "${name}" is not allowed.`);
    if (known.has(name)) throw refuse("DUPLICATE_KEY", "A key is there twice in one object.");
    if (++keys > limits.keys) throw tooComplex(`more than ${limits.keys} keys`);
    known.add(name);
    expect(":");
  };

  do {
    skip();
    if (++values > limits.values) throw tooComplex(`more than ${limits.values} values`);
    const first = text[at];
    if (first === "{" || first === "[") {
      at++;
      skip();
      if (open.length >= limits.depth) throw tooComplex(`deeper than ${limits.depth} levels`);
      const known: Open = first === "{" ? new Set() : null;
      if (text[at] === (first === "{" ? "}" : "]")) at++;
      else {
        open.push(known);
        if (known) key(known);
        continue;
      }
    } else scanScalar(text, at, take);

    // A value has ended: close what it ends, until a comma asks for the next one.
    for (;;) {
      skip();
      const inner = open.at(-1);
      if (inner === undefined) break;
      if (text[at] === ",") {
        at++;
        if (inner) key(inner);
        break;
      }
      expect(inner ? "}" : "]");
      open.pop();
    }
  } while (open.length > 0);
  skip();
  if (at < text.length) throw invalid("something follows its end", at);
}

function scanScalar(text: string, at: number, take: (pattern: RegExp) => string | null): void {
  if (take(stringPattern) !== null || take(wordPattern) !== null) return;
  numberPattern.lastIndex = at;
  const found = numberPattern.exec(text);
  if (!found) throw invalid(text.length === 0 ? "it is empty" : "a value was expected", at);
  take(numberPattern);
  const [literal, fraction, exponent] = found;
  const value = Number(literal);
  const isInteger = fraction === undefined && exponent === undefined;
  if (!Number.isFinite(value) || (isInteger && !Number.isSafeInteger(value)))
    throw refuse("NUMBER_OUT_OF_RANGE", "A number is out of range.");
}

function invalid(why: string, at?: number): AppError {
  const where = at === undefined ? "" : `, at character ${at + 1}`;
  return refuse("INVALID_JSON", `The body is not JSON: ${why}${where}.`);
}

function tooComplex(why: string): AppError {
  return refuse("JSON_TOO_COMPLEX", `The body is too complex: ${why}.`);
}

const hints: Readonly<Partial<Record<Reason, string>>> = {
  INVALID_JSON:
    "Check the body with a JSON formatter: strict JSON in UTF-8, without comments or trailing commas.",
  JSON_TOO_COMPLEX: `A body has at most ${limits.depth} levels, ${limits.keys} keys and ${limits.values} values.`,
  DUPLICATE_KEY: "Keep one of the two.",
  FORBIDDEN_KEY: "Give the field another name.",
  NUMBER_OUT_OF_RANGE:
    "Whole numbers go up to 9007199254740991, others up to 1.7e308. Send larger ones as text where the field takes it.",
};

function refuse(reason: Reason, message: string): AppError {
  const hint = hints[reason];
  return fail(reason, message, hint === undefined ? {} : { hint });
}
