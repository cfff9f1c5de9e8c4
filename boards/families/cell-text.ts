/** A look-up table, whose first input is the low bit of its address. */
export const tableCell = (
  name: string,
  inputs: readonly string[],
  { output, contents }: { readonly output: string; readonly contents: string },
) => `\
module ${name} (input ${inputs.join(", ")}, output ${output});
  parameter [${2 ** inputs.length - 1}:0] ${contents} = 0;
  assign ${output} = ${contents}[{${inputs.toReversed().join(", ")}}];
endmodule
`;

/** A cell that passes its one input on. */
export const bufferCell = (name: string, input: string, output: string) =>
  assigningCell(name, `input ${input}, output ${output}`, `${output} = ${input}`);

/** A cell that turns its one input round. */
export const inverterCell = (name: string, input: string, output: string) =>
  assigningCell(name, `input ${input}, output ${output}`, `${output} = !${input}`);

/** A cell that has one level for ever. */
export const constantCell = (name: string, output: string, value: 0 | 1) =>
  assigningCell(name, `output ${output}`, `${output} = 1'b${value}`);

const assigningCell = (name: string, ports: string, assignment: string) => `\
module ${name} (${ports});
  assign ${assignment};
endmodule
`;

/** Lines that multiply `A` and `B`, each of them signed where a condition holds. */
export const productLines = (bits: number, signed: { readonly a: string; readonly b: string }) => `\
  wire signed [${bits}:0] a = {${signed.a} && A[${bits - 1}], A};
  wire signed [${bits}:0] b = {${signed.b} && B[${bits - 1}], B};
  wire signed [${2 * bits + 1}:0] product = a * b;
`;
