import type { Comparison, TreeLayout } from "./layout";

/**
 * Prints the comparisons. Features come one after the other over the same eight wires, so what a digit of a byte is
 * compared with is shared by all features, and a comparison is one cell: two digits' results, kept while the flag
 * stands behind the feature's last byte.
 */
export function emitComparisons({ trees, comparisons }: TreeLayout): string {
  const digits = new Map<string, string>();
  const wide = new Map<number, string>();
  const kept = comparisons.map((comparison) => {
    const feature = trees.features[comparison.feature] ?? { offset: 0, bytes: 1 };
    const below = feature.bytes === 1 ? narrow(comparison, digits) : wideOf(comparison, wide);
    const missing = comparison.missingYes ? ` | missing_${feature.bytes}` : "";
    return {
      declared: `  reg ${comparison.name};\n`,
      set: `    if (at[${feature.offset + feature.bytes}]) ${comparison.name} <= ${below}${missing};\n`,
    };
  });
  const hasWide = wide.size > 0;
  return `  // ---- Digits of the byte, compared with all that any feature needs.

  reg missing_1;
${[...digits.keys()].map((name) => `  reg ${name};\n`).join("")}  always @(posedge clk) begin
    if (accept) begin
      missing_1 <= &in_data;
${[...digits].map(([name, test]) => `      ${name} <= ${test};\n`).join("")}    end
  end
${hasWide ? emitWide(wide) : ""}
  // ---- Comparisons, each kept from its feature's last byte on.

${kept.map(({ declared }) => declared).join("")}  always @(posedge clk) begin
${kept.map(({ set }) => set).join("")}  end
`;
}

/** `rank < limit` by two hexadecimal digits. */
function narrow({ limit }: Comparison, digits: Map<string, string>): string {
  const [high, low] = [limit >> 4, limit & 15];
  const use = (name: string, test: string): string => {
    digits.set(name, test);
    return name;
  };
  const less = high > 0 ? use(`high_below_${high}`, `in_data[7:4] < 4'd${high}`) : null;
  if (low === 0) return less ?? "1'b0";
  const same = use(`high_is_${high}`, `in_data[7:4] == 4'd${high}`);
  const lower = use(`low_below_${low}`, `in_data[3:0] < 4'd${low}`);
  return less ? `${less} | (${same} & ${lower})` : `(${same} & ${lower})`;
}

function wideOf({ limit }: Comparison, wide: Map<number, string>): string {
  const name = `below_wide_${limit}`;
  wide.set(limit, name);
  return name;
}

/** Ranks of two bytes: the last two that came. */
function emitWide(wide: ReadonlyMap<number, string>): string {
  return `
  reg [7:0] high_byte, low_byte;
  wire [15:0] rank = {high_byte, low_byte};
  wire missing_2 = &rank;
${[...wide].map(([limit, name]) => `  wire ${name} = rank < 16'd${limit};\n`).join("")}  always @(posedge clk) begin
    if (accept) begin
      high_byte <= in_data;
      low_byte <= high_byte;
    end
  end
`;
}
