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
