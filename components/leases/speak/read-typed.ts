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
