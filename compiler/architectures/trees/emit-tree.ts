import { widthFor, widthOf } from "../../integer/range";
import type { Operand } from "./adders";
import { type Chunk, columnOf } from "./chunks";
import type { TreeLayout } from "./layout";

/**
 * Prints the registers of one tree: the number of the exit that a row takes, counted from left to right, then what that
 * leaf adds. Where some tree of the core is deep, that takes a cycle more: all chunks of all trees are walked at once,
 * and what the one that was reached adds is kept.
 */
export function emitTree(index: number, layout: TreeLayout): string {
  const chunks = layout.chunks[index] ?? [];
  const values = layout.valuesOf[index] ?? [];
  const [top] = chunks;
  if (!top) throw new RangeError("A tree has a chunk.");
  if (layout.isDeep) return emitChunks(index, layout);
  const leaf = `leaf_${index}`;
  const width = widthFor(top.exits.length - 1);
  const declared = values.map((value) => `  reg [${widthOf(value) - 1}:0] ${value.text};\n`);
  const set = values.map((value, column) => {
    const words = wordsOf(top, column, value);
    return `    ${value.text} <= ${table(words, leaf, width)};\n`;
  });
  return `  reg [${width - 1}:0] ${leaf};
${declared.join("")}  always @(posedge clk) begin
    ${leaf} <= ${choiceOf(index, top, layout)};
${set.join("")}  end
`;
}

function emitChunks(index: number, layout: TreeLayout): string {
  const chunks = layout.chunks[index] ?? [];
  const values = layout.valuesOf[index] ?? [];
  const declared: string[] = [];
  const set: string[] = [];
  const parts = values.map((): string[] => []);
  for (const [number, chunk] of chunks.entries()) {
    const leaf = leafOf(index, number);
    const width = widthFor(chunk.exits.length - 1);
    declared.push(`reg [${width - 1}:0] ${leaf};`);
    set.push(`${leaf} <= ${choiceOf(index, chunk, layout)};`);
    const reached = `reached_${index}_${number}`;
    if (chunk.above) {
      declared.push(`reg ${reached};`);
      set.push(`${reached} <= ${wayTo(index, chunk, chunks)};`);
    }
    for (const [column, value] of values.entries()) {
      if (columnOf(chunk, column).every((each) => each === 0)) continue;
      const bits = widthOf(value);
      const part = `part_${index}_${number}_${column}`;
      declared.push(`reg [${bits - 1}:0] ${part};`);
      set.push(`${part} <= ${table(wordsOf(chunk, column, value), leaf, width)};`);
      parts[column]?.push(chunk.above ? `({${bits}{${reached}}} & ${part})` : part);
    }
  }
  for (const [column, value] of values.entries()) {
    const bits = widthOf(value);
    declared.push(`reg [${bits - 1}:0] ${value.text};`);
    set.push(`${value.text} <= ${parts[column]?.join(" | ") || `${bits}'d0`};`);
  }
  return `${declared.map((line) => `  ${line}\n`).join("")}  always @(posedge clk) begin
${set.map((line) => `    ${line}\n`).join("")}  end
`;
}

const leafOf = (index: number, chunk: number): string => `leaf_${index}_${chunk}`;

/** Whether a row gets as far as a chunk: every exit above leads there. */
function wayTo(index: number, chunk: Chunk, chunks: readonly Chunk[]): string {
  const steps: string[] = [];
  for (let at = chunk.above; at; at = chunks[at.chunk]?.above ?? null) {
    const width = widthFor((chunks[at.chunk]?.exits.length ?? 1) - 1);
    steps.push(`(${leafOf(index, at.chunk)} == ${width}'d${at.exit})`);
  }
  return steps.join(" & ");
}

/** The number of the exit that the comparisons choose. */
function choiceOf(index: number, { root, levels, exits }: Chunk, layout: TreeLayout): string {
  const tree = layout.trees.trees[index] ?? [];
  const width = widthFor(exits.length - 1);
  let next = 0;
  const choose = (at: number, level: number): string => {
    const node = tree[at];
    if (!node || "values" in node || level === levels) return `${width}'d${next++}`;
    const { name } = layout.comparisonOf(node);
    const yes = choose(node.yes, level + 1);
    return `(${name} ? ${yes} : ${choose(node.no, level + 1)})`;
  };
  return choose(root, 0);
}

const wordsOf = (chunk: Chunk, column: number, value: Operand): readonly string[] =>
  columnOf(chunk, column).map((each) => `${widthOf(value)}'d${each}`);

/** One of the words, chosen bit by bit of a number; numbers beyond the last word choose it too. */
function table(words: readonly string[], number: string, bits: number): string {
  const [first = "", ...others] = words;
  if (others.every((word) => word === first)) return first;
  const half = 2 ** (bits - 1);
  const low = table(words.slice(0, half), number, bits - 1);
  if (words.length <= half) return low;
  const high = table(words.slice(half), number, bits - 1);
  return low === high ? low : `(${number}[${bits - 1}] ? ${high} : ${low})`;
}
