import { mostLineBytes } from "@/lib/common/contract";

/** How what is typed is read. */
export type Typing = "text" | "hex";
/** What a line of text ends with on the wire. */
export const lineEnds = { none: "", lf: "\n", crlf: "\r\n" } as const;

/** Why something typed is no bytes. */
export type TypingFault = "notHex" | "halfByte" | "tooLong";

/** The bytes of something typed: hexadecimal pairs, with whatever spaces, commas or `0x` between them, or UTF-8. */
export function readTyped(
  text: string,
  typing: Typing,
  end: keyof typeof lineEnds,
): Uint8Array | TypingFault {
  const bytes = typing === "hex" ? readHex(text) : new TextEncoder().encode(text + lineEnds[end]);
  return typeof bytes !== "string" && bytes.length > mostLineBytes ? "tooLong" : bytes;
}

function readHex(text: string): Uint8Array | TypingFault {
  const digits = text.replace(/0x/gi, "").replace(/[\s,:]/g, "");
  if (/[^0-9a-f]/i.test(digits)) return "notHex";
  if (digits.length % 2 === 1) return "halfByte";
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Bytes as lines of hexadecimal and of text, in which whatever is no printable character of ASCII is a dot. */
export function dumpOf(bytes: Uint8Array, perLine: number): string[] {
  return Array.from({ length: Math.ceil(bytes.length / perLine) }, (_, line) => {
    const part = [...bytes.subarray(line * perLine, (line + 1) * perLine)];
    const hex = part.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const text = part.map((byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·",
    );
    return `${hex.padEnd(perLine * 3 - 1)}  ${text.join("")}`;
  });
}

export const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

export const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
