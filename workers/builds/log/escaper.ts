import { invisible, showInvisible } from "@/lib/common/text";

/** Longest line that is kept, in UTF-16 units: with at most 3 bytes each, lines stay in the order of 16 KiB. */
export const maxLineLength = 16 * 1024;
/** Longer parameters are no colour. */
const maxParameters = 64;

/** Turns the raw output of a program into safe lines. */
export interface Escaper {
  push(bytes: Uint8Array): string[];
  /** The last line, if it lacks its newline. */
  end(): string[];
}

// Everything that is not plain text: C0, DEL, C1, and what is invisible or turns the direction of reading.
const special =
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

type State = "text" | "escape" | "intermediate" | "control" | "string" | "string-escape";

/**
 * Keeps text, tabs and SGR colours; drops every other escape sequence and control character; shows invisible and
 * bidirectional controls as `<U+202E>`; a line that a carriage return overwrites keeps its last state; bad UTF-8
 * becomes U+FFFD; of a line the first 16 KiB are kept. However the input is cut into pieces, the lines are the same.
 *
 * @param overlap Visible characters that are kept beyond the limit, so that what begins before it is seen whole.
 */
export function createEscaper(overlap = 0): Escaper {
  return new LineEscaper(overlap);
}

/** A terminal's parser that draws nothing: where in a sequence the input is, and the line so far. */
class LineEscaper implements Escaper {
  private readonly decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  private readonly longest: number;
  private state: State = "text";
  private parameters = "";
  private line = "";
  private returned = false;

  constructor(overlap: number) {
    this.longest = maxLineLength + overlap;
  }

  push(bytes: Uint8Array): string[] {
    return this.feed(this.decoder.decode(bytes, { stream: true }));
  }

  end(): string[] {
    const lines = this.feed(this.decoder.decode());
    if (this.line !== "") lines.push(this.endLine());
    this.state = "text";
    this.returned = false;
    return lines;
  }

  private feed(text: string): string[] {
    const lines: string[] = [];
    let at = 0;
    while (at < text.length) {
      if (this.state === "text") {
        special.lastIndex = at;
        const found = special.exec(text)?.index ?? text.length;
        this.append(text.slice(at, found));
        at = found;
        if (at === text.length) break;
      }
      // A whole code point: half of one that was dropped would stay behind.
      const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
      at += char.length;
      const ended = this.step(char);
      if (ended !== null) lines.push(ended);
    }
    return lines;
  }

  private append(text: string): void {
    if (text === "") return;
    if (this.returned) this.line = "";
    this.returned = false;
    const room = this.longest - this.line.length;
    if (room <= 0) return;
    // Beyond the limit stands only what a secret may go on with.
    this.line +=
      this.line.length < maxLineLength
        ? text.slice(0, room)
        : text.replaceAll("\ufffd", "").slice(0, room);
  }

  /** Sequences and marks are kept whole or not at all. */
  private appendWhole(text: string): void {
    if (this.returned || this.line.length + text.length <= maxLineLength) this.append(text);
  }

  private endLine(): string {
    const ended = this.line;
    this.line = "";
    this.returned = false;
    this.state = "text";
    return ended;
  }

  /** One special or in-sequence character. Returns a line when it ended one. */
  private step(char: string): string | null {
    if (char === "\n") return this.endLine();
    switch (this.state) {
      case "text":
        this.inText(char);
        break;
      case "escape":
        this.inEscape(char);
        break;
      case "intermediate":
        if (char < " " || char > "/") this.state = "text";
        break;
      case "control":
        this.inControl(char);
        break;
      case "string":
        if (char === "\u0007" || char === "\u009c") this.state = "text";
        else if (char === "\u001b") this.state = "string-escape";
        break;
      case "string-escape":
        this.state = char === "\\" ? "text" : char === "\u001b" ? "string-escape" : "string";
    }
    return null;
  }

  private inText(char: string): void {
    if (char === "\r") this.returned = true;
    else if (char === "\u001b") this.state = "escape";
    else if (char === "\u009b") this.openControl();
    else if ("\u0090\u0098\u009d\u009e\u009f".includes(char)) this.state = "string";
    else if (invisible.test(char)) this.appendWhole(showInvisible(char));
  }

  private inEscape(char: string): void {
    if (char === "[") this.openControl();
    else if ("P]X^_".includes(char)) this.state = "string";
    else if (char >= " " && char <= "/") this.state = "intermediate";
    else if (char !== "\u001b") this.state = "text";
  }

  private openControl(): void {
    this.parameters = "";
    this.state = "control";
  }

  private inControl(char: string): void {
    const { parameters } = this;
    if (char >= " " && char <= "?") {
      if (parameters.length <= maxParameters) this.parameters += char;
      return;
    }
    this.state = char === "\u001b" ? "escape" : "text";
    if (char === "m" && parameters.length <= maxParameters && /^[0-9;:]*$/.test(parameters)) {
      this.appendWhole(`\u001b[${parameters}m`);
    }
  }
}
