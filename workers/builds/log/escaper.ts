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
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let state: State = "text";
  let parameters = "";
  let line = "";
  let returned = false;

  const append = (text: string) => {
    if (text === "") return;
    if (returned) line = "";
    returned = false;
    const room = maxLineLength + overlap - line.length;
    if (room <= 0) return;
    // Beyond the limit stands only what a secret may go on with.
    line +=
      line.length < maxLineLength
        ? text.slice(0, room)
        : text.replaceAll("\ufffd", "").slice(0, room);
  };
  /** Sequences and marks are kept whole or not at all. */
  const appendWhole = (text: string) => {
    if (returned || line.length + text.length <= maxLineLength) append(text);
  };
  const endLine = (): string => {
    const ended = line;
    line = "";
    returned = false;
    state = "text";
    return ended;
  };

  /** One special or in-sequence character. Returns a line when it ended one. */
  const step = (char: string): string | null => {
    if (char === "\n") return endLine();
    switch (state) {
      case "text":
        if (char === "\r") returned = true;
        else if (char === "\u001b") state = "escape";
        else if (char === "\u009b") {
          parameters = "";
          state = "control";
        } else if ("\u0090\u0098\u009d\u009e\u009f".includes(char)) state = "string";
        else if (invisible.test(char)) appendWhole(showInvisible(char));
        return null;
      case "escape":
        if (char === "[") {
          parameters = "";
          state = "control";
        } else if ("P]X^_".includes(char)) state = "string";
        else if (char >= " " && char <= "/") state = "intermediate";
        else if (char !== "\u001b") state = "text";
        return null;
      case "intermediate":
        if (char < " " || char > "/") state = "text";
        return null;
      case "control":
        if (char >= " " && char <= "?") {
          if (parameters.length <= maxParameters) parameters += char;
        } else {
          state = char === "\u001b" ? "escape" : "text";
          if (char === "m" && parameters.length <= maxParameters && /^[0-9;:]*$/.test(parameters)) {
            appendWhole(`\u001b[${parameters}m`);
          }
        }
        return null;
      case "string":
        if (char === "\u0007" || char === "\u009c") state = "text";
        else if (char === "\u001b") state = "string-escape";
        return null;
      case "string-escape":
        state = char === "\\" ? "text" : char === "\u001b" ? "string-escape" : "string";
        return null;
    }
  };

  const feed = (text: string): string[] => {
    const lines: string[] = [];
    let at = 0;
    while (at < text.length) {
      if (state === "text") {
        special.lastIndex = at;
        const found = special.exec(text)?.index ?? text.length;
        append(text.slice(at, found));
        at = found;
        if (at === text.length) break;
      }
      // A whole code point: half of one that was dropped would stay behind.
      const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
      at += char.length;
      const ended = step(char);
      if (ended !== null) lines.push(ended);
    }
    return lines;
  };

  return {
    push: (bytes) => feed(decoder.decode(bytes, { stream: true })),
    end() {
      const lines = feed(decoder.decode());
      if (line !== "") lines.push(endLine());
      state = "text";
      returned = false;
      return lines;
    },
  };
}
