import { hex, type MemoryImage } from "./memories";

/** A read-only memory with its contents, line by line. */
export function declare({ name, width, words }: MemoryImage, style: "block" | "logic"): string {
  const lines = words.map((word, index) => `    ${name}[${index}] = ${hex(word, width)};`);
  return `  (* rom_style = "${style}" *) reg [${width - 1}:0] ${name} [0:${words.length - 1}];
  initial begin
${lines.join("\n")}
  end`;
}

/** A natural number with more or fewer bits. */
export function resize(name: string, from: number, to: number): string {
  if (from > to) return `${name}[${to - 1}:0]`;
  return from === to ? name : `{${to - from}'d0, ${name}}`;
}
