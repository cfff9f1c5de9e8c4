/** A JSON value with its place in the text. Numbers keep their digits, so that 64-bit integers are not rounded. */
export type JsonNode = { readonly from: number; readonly to: number } & (
  | { readonly kind: "object"; readonly members: readonly JsonMember[] }
  | { readonly kind: "array"; readonly items: readonly JsonNode[] }
  | { readonly kind: "string"; readonly text: string }
  | { readonly kind: "number"; readonly digits: string }
  | { readonly kind: "literal"; readonly word: string }
);

export interface JsonMember {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly value: JsonNode;
}

/** A change of a text. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** What keeps a text from being JSON, for people who write it. */
export type JsonFaultCode =
  | "empty"
  | "trailingComma"
  | "missingComma"
  | "missingColon"
  | "missingValue"
  | "keyQuotes"
  | "singleQuotes"
  | "pythonWord"
  | "unknownWord"
  | "comment"
  | "badNumber"
  | "stringOpen"
  | "badEscape"
  | "wrongClose"
  | "unfinished"
  | "afterEnd"
  | "tooDeep"
  | "stray";

/** The first place of a text that is not JSON. */
export interface JsonFault {
  readonly code: JsonFaultCode;
  readonly from: number;
  readonly to: number;
  /** What stands there, or what was expected; `line` is where a bracket was opened. */
  readonly values: Readonly<Record<string, string | number>>;
  /** A change that mends it. */
  readonly change?: TextChange;
}

/** As deep as the gateway reads. */
const maxDepth = 100;
const space = /[ \t\r\n]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const looseNumber = /[+-]?[\w.+-]+/y;
const word = /[A-Za-z_$][\w$]*/y;
const single = /'(?:[^'\\\n]|\\.)*'/y;
const inString = /(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/y;
const literals: ReadonlySet<string> = new Set(["true", "false", "null"]);
/** Words that V2's clients write where JSON has no number. */
const numberWords: ReadonlySet<string> = new Set(["NaN", "Infinity"]);
const pythonWords: Readonly<Record<string, string>> = {
  True: "true",
  False: "false",
  None: "null",
  nan: "NaN",
  inf: "Infinity",
};

/**
 * Reads JSON text, with `NaN`, `Infinity` and `-Infinity` among its numbers as the protocol has them; answers the first fault,
 * with its mend where there is one, instead of throwing.
 */
export function parseJsonTree(
  text: string,
): { readonly root: JsonNode } | { readonly fault: JsonFault } {
  try {
    return { root: new Parser(text).whole() };
  } catch (error) {
    if (error instanceof Found) return { fault: error.fault };
    throw error;
  }
}

/** The line of a place, the first being 1. */
export const lineAt = (text: string, at: number): number => text.slice(0, at).split("\n").length;

class Found extends Error {
  readonly fault: JsonFault;

  constructor(fault: JsonFault) {
    super(fault.code);
    this.fault = fault;
  }
}

class Parser {
  private readonly text: string;
  private at = 0;
  /** Places of the brackets that are open. */
  private readonly open: number[] = [];

  constructor(text: string) {
    this.text = text;
  }

  whole(): JsonNode {
    this.skip();
    if (this.at >= this.text.length) throw this.found("empty", {});
    const root = this.value(null);
    this.skip();
    if (this.at < this.text.length) throw this.found("afterEnd", this.here());
    return root;
  }

  /** @param comma Place of the comma before it, where there is one. */
  private value(comma: number | null): JsonNode {
    const { text, at } = this;
    const first = text[at];
    if (first === undefined) throw this.unfinished(null);
    if (first === "{") return this.object();
    if (first === "[") return this.array();
    if (first === '"') return { kind: "string", from: at, text: this.string(), to: this.at };
    if (first === "]" || first === "}") throw this.closedTooEarly(first, comma);
    if (first === ",") throw this.found("missingValue", {});
    if (first === "'") throw this.singleQuotes();
    if (first === "/" || first === "#") throw this.found("comment", {});
    if (/[-+.\d]/.test(first)) return this.number();
    return this.word();
  }

  private number(): JsonNode {
    const from = this.at;
    const minus = this.text[from] === "-" ? 1 : 0;
    const named = this.match(word, from + minus);
    if (named === "Infinity") {
      this.at = from + minus + named.length;
      if (this.match(looseNumber, this.at) === "")
        return { kind: "number", from, to: this.at, digits: this.text.slice(from, this.at) };
      this.at = from;
    }
    const digits = this.match(number, from);
    const loose = this.match(looseNumber, from);
    if (digits === "" || digits !== loose) throw this.badNumber(loose || (this.text[from] ?? ""));
    this.at = from + digits.length;
    return { kind: "number", from, to: this.at, digits };
  }

  private badNumber(found: string): Found {
    const from = this.at;
    const mended = found
      .replace(/^\+/, "")
      .replace(/^(-?)\./, "$10.")
      .replace(/^(-?)0+(?=\d)/, "$1")
      .replace(/\.(?=$|[eE])/, "");
    number.lastIndex = 0;
    const isMended = number.exec(mended)?.[0] === mended && mended !== "";
    return this.found("badNumber", { found }, from, from + found.length, isMended ? mended : null);
  }

  private word(): JsonNode {
    const from = this.at;
    const found = this.match(word, from);
    if (found === "") throw this.found("stray", this.here());
    const to = from + found.length;
    if (this.match(looseNumber, to) === "") {
      this.at = to;
      if (literals.has(found)) return { kind: "literal", from, to, word: found };
      if (numberWords.has(found)) return { kind: "number", from, to, digits: found };
      this.at = from;
      const meant = Object.hasOwn(pythonWords, found) ? pythonWords[found] : undefined;
      if (meant) throw this.found("pythonWord", { found, meant }, from, to, meant);
    }
    throw this.found("unknownWord", { found }, from, to);
  }

  private array(): JsonNode {
    const from = this.enter();
    const items: JsonNode[] = [];
    this.skip();
    if (this.text[this.at] !== "]") {
      let comma: number | null = null;
      do {
        this.skip();
        items.push(this.value(comma));
        comma = this.at + this.match(space, this.at).length;
      } while (this.goesOn("]"));
    }
    return { kind: "array", from, to: this.leave(), items };
  }

  private object(): JsonNode {
    const from = this.enter();
    const members: JsonMember[] = [];
    this.skip();
    if (this.text[this.at] !== "}") {
      let comma: number | null = null;
      do {
        this.skip();
        members.push(this.member(comma));
        comma = this.at + this.match(space, this.at).length;
      } while (this.goesOn("}"));
    }
    return { kind: "object", from, to: this.leave(), members };
  }

  private member(comma: number | null): JsonMember {
    const from = this.at;
    const first = this.text[from];
    if (first !== '"') throw this.noKey(first, comma);
    const key = this.string();
    const to = this.at;
    this.skip();
    if (this.text[this.at] !== ":") {
      if (this.at >= this.text.length) throw this.unfinished(null);
      throw this.found("missingColon", { key }, to, to, ":");
    }
    this.at++;
    this.skip();
    return { key, from, to, value: this.value(null) };
  }

  private noKey(first: string | undefined, comma: number | null): Found {
    if (first === undefined) return this.unfinished(null);
    if (first === "}" || first === "]") return this.closedTooEarly(first, comma);
    if (first === "'") return this.singleQuotes();
    if (first === "/" || first === "#") return this.found("comment", {});
    const found = this.match(word, this.at);
    if (found === "") return this.found("stray", this.here());
    const to = this.at + found.length;
    return this.found("keyQuotes", { found }, this.at, to, `"${found}"`);
  }

  private string(): string {
    const from = this.at;
    const body = this.match(inString, from + 1);
    const end = from + 1 + body.length;
    const stop = this.text[end];
    if (stop === "\\")
      throw this.found("badEscape", { found: this.text.slice(end, end + 2) }, end, end + 2);
    if (stop !== '"') throw this.found("stringOpen", {}, from, end);
    this.at = end + 1;
    return body.includes("\\") ? String(JSON.parse(`"${body}"`)) : body;
  }

  /** Whether a comma follows, past which the reading goes on; false at the closing bracket. */
  private goesOn(close: "]" | "}"): boolean {
    const end = this.at;
    this.skip();
    const next = this.text[this.at];
    if (next === ",") {
      this.at++;
      this.skip();
      return true;
    }
    if (next === close) return false;
    if (next === undefined) throw this.unfinished(end);
    if (next === "]" || next === "}") throw this.found("wrongClose", { ...this.opened(), close });
    if (next === "/" || next === "#") throw this.found("comment", {});
    if (next === ";") throw this.found("missingComma", {}, this.at, this.at + 1, ",");
    if (/["'[{\w.+-]/.test(next)) throw this.found("missingComma", {}, end, end, ",");
    throw this.found("stray", this.here());
  }

  private closedTooEarly(close: string, comma: number | null): Found {
    if (comma !== null && this.text[comma] === ",")
      return this.found("trailingComma", { close }, comma, comma + 1, "");
    const before = this.text[this.open.at(-1) ?? 0] === "[" ? "]" : "}";
    if (this.open.length > 0 && before !== close)
      return this.found("wrongClose", { ...this.opened(), close: before });
    return this.found("missingValue", {});
  }

  private singleQuotes(): Found {
    const found = this.match(single, this.at);
    const to = this.at + Math.max(1, found.length);
    const inner = found.slice(1, -1).replaceAll('"', '\\"').replaceAll("\\'", "'");
    return this.found("singleQuotes", {}, this.at, to, found === "" ? null : `"${inner}"`);
  }

  /** @param end Where a whole value ends behind which only brackets are missing; null: more than that is. */
  private unfinished(end: number | null): Found {
    const closers = this.open.map((at) => (this.text[at] === "[" ? "]" : "}")).reverse();
    const at = Math.max(0, this.text.trimEnd().length - 1);
    const values = { ...this.opened(), close: closers[0] ?? "" };
    const fault = { code: "unfinished" as const, from: at, to: at + 1, values };
    if (end === null) return new Found(fault);
    return new Found({ ...fault, change: { from: end, to: end, insert: closers.join("") } });
  }

  private opened() {
    const at = this.open.at(-1) ?? 0;
    return { open: this.text[at] ?? "", line: lineAt(this.text, at) };
  }

  private enter(): number {
    const from = this.at;
    if (this.open.length >= maxDepth) throw this.found("tooDeep", { most: maxDepth });
    this.open.push(from);
    this.at++;
    return from;
  }

  private leave(): number {
    this.open.pop();
    return ++this.at;
  }

  private skip(): void {
    this.at += this.match(space, this.at).length;
  }

  private match(pattern: RegExp, at: number): string {
    pattern.lastIndex = at;
    return pattern.exec(this.text)?.[0] ?? "";
  }

  private here() {
    return { found: String.fromCodePoint(this.text.codePointAt(this.at) ?? 32) };
  }

  private found(
    code: JsonFaultCode,
    values: JsonFault["values"],
    from = this.at,
    to = from + 1,
    insert: string | null = null,
  ): Found {
    const fault = { code, from, to, values };
    return new Found(insert === null ? fault : { ...fault, change: { from, to, insert } });
  }
}
