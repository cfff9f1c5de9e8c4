import { type AppError, fail } from "@/lib/common/errors";
import { ElementCounter } from "./shape";

/** Levels of nesting that a body may have, the outermost object being the first. */
export const maxDepth = 100;

/** No number that anybody means takes more to write. */
const maxNumberBytes = 4096;

const powersOfTen = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const quote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;

/** More of a text is to be read slowly than its caller has the patience for. */
export class SlowText extends Error {
  override readonly name = "SlowText";
}

/**
 * Reads UTF-8 JSON from left to right, with the byte offset in every complaint. It makes no tree: the caller says what
 * it wants at each place, so that numbers can go straight into typed arrays.
 */
export class JsonScanner {
  pos: number;
  /** Facts of the last number: where its token starts, whether it has no fraction and no exponent, and whether the
   * double returned is the correctly rounded one (else it is off by at most 4 units in the last place). */
  tokenStart = 0;
  plain = false;
  exact = false;
  /** Bytes that were read many times as fast as others. */
  fastBytes = 0;
  /** How many others may be read. */
  patienceBytes = Number.POSITIVE_INFINITY;

  readonly bytes: Uint8Array;
  readonly end: number;
  /** Of the whole text. */
  readonly counter = new ElementCounter();

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.bytes = bytes;
    this.pos = start;
    this.end = end;
  }

  error(what: string, at = this.pos): AppError {
    return fail("INFER_INVALID", `failed to parse the request JSON at byte ${at}: ${what}`);
  }

  /** To be called for each of many things. @throws {SlowText} */
  tick(): void {
    if (this.pos - this.fastBytes > this.patienceBytes) throw new SlowText();
  }

  /** The next byte that is not white space, −1 at the end; it stays unread. */
  peek(): number {
    const { bytes, end } = this;
    let pos = this.pos;
    while (pos < end) {
      const byte = bytes[pos] as number;
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) {
        this.pos = pos;
        return byte;
      }
      pos++;
    }
    this.pos = pos;
    return -1;
  }

  /** Reads one given byte if it comes next. */
  accept(byte: number): boolean {
    if (this.peek() !== byte) return false;
    this.pos++;
    return true;
  }

  expect(byte: number): void {
    if (!this.accept(byte)) throw this.error(`expected '${String.fromCharCode(byte)}'`);
  }

  /** Reads a word such as `true` if it comes next. */
  acceptWord(word: string): boolean {
    this.peek();
    if (this.pos + word.length > this.end) return false;
    for (let i = 0; i < word.length; i++) {
      if (this.bytes[this.pos + i] !== word.charCodeAt(i)) return false;
    }
    this.pos += word.length;
    return true;
  }

  /** Reads an object; `member` must read the value of the key it gets. */
  readObject(depth: number, member: (key: string, depth: number) => void): void {
    this.expect(0x7b);
    if (depth > maxDepth) throw this.error(`nesting is deeper than ${maxDepth} levels`);
    if (this.accept(0x7d)) return;
    do {
      const key = this.readString();
      this.expect(0x3a);
      member(key, depth + 1);
      this.tick();
    } while (this.accept(0x2c));
    if (!this.accept(0x7d)) throw this.error("expected ',' or '}'");
  }

  /** Reads an array; `element` must read one value. */
  readArray(depth: number, element: (index: number, depth: number) => void): void {
    this.expect(0x5b);
    if (depth > maxDepth) throw this.error(`nesting is deeper than ${maxDepth} levels`);
    if (this.accept(0x5d)) return;
    let index = 0;
    do {
      element(index++, depth + 1);
      this.tick();
    } while (this.accept(0x2c));
    if (!this.accept(0x5d)) throw this.error("expected ',' or ']'");
  }

  /** Reads and checks a value of any kind and drops it. */
  skipValue(depth: number): void {
    const byte = this.peek();
    if (byte === quote) this.skipString();
    else if (byte === 0x7b) this.readObject(depth, (_, inner) => this.skipValue(inner));
    else if (byte === 0x5b) this.readArray(depth, (_, inner) => this.skipValue(inner));
    else if (byte === minus || isDigit(byte)) this.readNumber();
    else if (!(this.acceptWord("true") || this.acceptWord("false") || this.acceptWord("null"))) {
      throw this.error("expected a value");
    }
  }

  /** Reads a number and returns its double; see `plain` and `exact`. */
  readNumber(): number {
    const first = this.peek();
    const { bytes, end } = this;
    let pos = this.pos;
    this.tokenStart = pos;
    const negative = first === minus;
    if (negative) pos++;
    const integerStart = pos;
    let mantissa = 0;
    let digits = 0;
    let byte = pos < end ? (bytes[pos] as number) : -1;
    while (isDigit(byte)) {
      mantissa = mantissa * 10 + (byte - 0x30);
      if (mantissa !== 0) digits++;
      pos++;
      byte = pos < end ? (bytes[pos] as number) : -1;
    }
    if (pos === integerStart) throw this.error("expected a value");
    if (bytes[integerStart] === 0x30 && pos - integerStart > 1) {
      throw this.error("a number has a leading zero", integerStart);
    }
    let exponent = 0;
    let plain = true;
    if (byte === 0x2e) {
      plain = false;
      const fractionStart = ++pos;
      byte = pos < end ? (bytes[pos] as number) : -1;
      while (isDigit(byte)) {
        mantissa = mantissa * 10 + (byte - 0x30);
        if (mantissa !== 0) digits++;
        pos++;
        byte = pos < end ? (bytes[pos] as number) : -1;
      }
      if (pos === fractionStart) throw this.error("expected a digit after '.'", pos);
      exponent = fractionStart - pos;
    }
    if (byte === 0x65 || byte === 0x45) {
      plain = false;
      byte = bytes[++pos] ?? -1;
      const down = byte === minus;
      if (down || byte === 0x2b) byte = bytes[++pos] ?? -1;
      if (pos >= end || !isDigit(byte)) throw this.error("expected a digit in the exponent", pos);
      let power = 0;
      while (pos < end && isDigit(byte)) {
        if (power < 1e6) power = power * 10 + (byte - 0x30);
        byte = bytes[++pos] ?? -1;
      }
      exponent += down ? -power : power;
    }
    if (pos - this.tokenStart > maxNumberBytes) {
      throw this.error(`a number is longer than ${maxNumberBytes} bytes`, this.tokenStart);
    }
    this.pos = pos;
    this.plain = plain;
    if (digits <= 19 && exponent >= -22 && exponent <= 22) {
      // Clinger's fast path: both operands are exact doubles up to 15 digits, so one operation rounds correctly.
      this.exact = digits <= 15;
      const power = powersOfTen[exponent < 0 ? -exponent : exponent] as number;
      const value = exponent < 0 ? mantissa / power : mantissa * power;
      return negative ? -value : value;
    }
    this.exact = true;
    return Number(this.token());
  }

  /** The text of the last number. */
  token(): string {
    return asciiText(this.bytes, this.tokenStart, this.pos);
  }

  readString(): string {
    const start = this.pos;
    if (this.peek() !== quote) throw this.error("expected a string", start);
    const from = this.pos + 1;
    const { escaped, ascii } = this.skipString();
    const to = this.pos - 1;
    if (escaped) return this.unescape(from, to);
    if (ascii && to - from <= 24) return asciiText(this.bytes, from, to);
    return this.decode(from, to);
  }

  /** Reads a string and returns the UTF-8 bytes of its text, a view where it has no escapes. */
  readStringBytes(): Uint8Array {
    if (this.peek() !== quote) throw this.error("expected a string");
    const from = this.pos + 1;
    const { escaped, ascii } = this.skipString();
    const to = this.pos - 1;
    if (escaped) return new TextEncoder().encode(this.unescape(from, to));
    if (!ascii) this.decode(from, to);
    return this.bytes.subarray(from, to);
  }

  private skipString(): { escaped: boolean; ascii: boolean } {
    const { bytes, end } = this;
    this.pos++;
    let escaped = false;
    let ascii = true;
    while (this.pos < end) {
      const byte = bytes[this.pos] as number;
      if (byte === quote) {
        this.pos++;
        return { escaped, ascii };
      }
      if (byte < 0x20) throw this.error("a control character in a string must be escaped");
      if (byte >= 0x80) ascii = false;
      if (byte === backslash) {
        escaped = true;
        this.skipEscape();
      } else this.pos++;
    }
    throw this.error("a string does not end");
  }

  private skipEscape(): void {
    const kind = this.bytes[this.pos + 1] ?? -1;
    if (kind === 0x75) {
      for (let i = 2; i < 6; i++) {
        if (!isHexDigit(this.bytes[this.pos + i] ?? -1)) throw this.error("a broken \\u escape");
      }
      this.pos += 6;
    } else if ('"\\/bfnrt'.includes(String.fromCharCode(kind))) this.pos += 2;
    else throw this.error("an unknown escape");
    if (this.pos > this.end) throw this.error("a string does not end");
  }

  private unescape(from: number, to: number): string {
    // The slice was checked above, so that the platform's parser sees one well-formed string and nothing else.
    const text = JSON.parse(`"${this.decode(from, to)}"`) as string;
    if (/\p{Cs}/u.test(text)) throw this.error("a lone surrogate in a string", from);
    return text;
  }

  private decode(from: number, to: number): string {
    try {
      return utf8.decode(this.bytes.subarray(from, to));
    } catch {
      throw this.error("the text is not UTF-8", from);
    }
  }
}

function asciiText(bytes: Uint8Array, from: number, to: number): string {
  let text = "";
  for (let i = from; i < to; i++) text += String.fromCharCode(bytes[i] as number);
  return text;
}

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

const isHexDigit = (byte: number): boolean =>
  isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
