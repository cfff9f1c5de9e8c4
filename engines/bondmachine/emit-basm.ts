import { connectionsOf, type MachineLayer, processorName } from "../reference/machine-layer";
import { literalOf, type NumberType } from "../reference/number-type";

/**
 * The assembly of a dense network: one program and one connecting processor for each neuron, its weights inside the
 * program, and a link for each connection. Inputs and outputs are handshaken.
 *
 * @param layers At least one, each with as many inputs as the one before has outputs.
 */
export function emitBasm(layers: readonly MachineLayer[], type: NumberType): string {
  const neurons = layers.flatMap((layer, index) =>
    Array.from({ length: layer.outputSize }, (_, output) => ({ layer, at: index + 1, output })),
  );
  return [
    `%meta bmdef global registersize:${type.width}`,
    "%meta bmdef global iomode:sync",
    ...neurons.flatMap(({ layer, at, output }) => program(layer, { at, output, type })),
    ...neurons.map(({ at, output }) => {
      const name = processorName(at, output);
      return `%meta cpdef ${name} romcode:${name}`;
    }),
    ...neurons.flatMap(({ layer, at, output }) => links(layer, at, output)),
    ...outputLinks(layers),
    "",
  ].join("\n");
}

/** Bias first, then each product in the order of the inputs, ReLU, and the result: the order in which sums wrap or round. */
function program(
  layer: MachineLayer,
  { at, output, type }: { readonly at: number; readonly output: number; readonly type: NumberType },
): string[] {
  const constant = (value: number) => `${type.prefix}${literalOf(type, value)}`;
  return [
    `%section ${processorName(at, output)} .romtext iomode:sync`,
    "\tentry _start",
    "_start:",
    `\tmov r0, ${constant(layer.bias[output] ?? 0)}`,
    ...connectionsOf(layer, output).flatMap(({ weight }, port) => [
      `\tmov r1, i${port}`,
      `\tmov r2, ${constant(weight)}`,
      `\t${type.multiply} r1, r2`,
      `\t${type.add} r0, r1`,
    ]),
    ...(layer.relu ? clampBelow(type) : []),
    "\tmov o0, r0",
    "\tj _start",
    "%endsection",
  ];
}

/** Keeps what has no sign bit. The comparison is one of unsigned words, which does for fixed point and floats alike. */
const clampBelow = ({ width }: NumberType): string[] => [
  `\tmov r1, 0u${2 ** (width - 1)}`,
  "\tcmprlt r0, r1",
  "\tjcmpl keep",
  "\tclr r0",
  "keep:",
];

function links(layer: MachineLayer, at: number, output: number): string[] {
  const to = processorName(at, output);
  return connectionsOf(layer, output).flatMap(({ from }, port) => {
    const name = `l_${at - 1}_${from}__${at}_${output}`;
    const source =
      at === 1
        ? `cp:bm, type:input, index:${from}`
        : `cp:${processorName(at - 1, from)}, type:output, index:0`;
    return [
      `%meta iodef ${name} type:io`,
      `%meta ioatt ${name} ${source}`,
      `%meta ioatt ${name} cp:${to}, type:input, index:${port}`,
    ];
  });
}

function outputLinks(layers: readonly MachineLayer[]): string[] {
  return Array.from({ length: layers.at(-1)?.outputSize ?? 0 }, (_, output) => [
    `%meta iodef out_${output} type:io`,
    `%meta ioatt out_${output} cp:${processorName(layers.length, output)}, type:output, index:0`,
    `%meta ioatt out_${output} cp:bm, type:output, index:${output}`,
  ]).flat();
}
