import type { MachineDrawing } from "@/lib/common/contract";
import { connectionsOf, processorName } from "../reference/machine-layer";
import type { NumberTypeId } from "../reference/number-type";
import type { NamedLayer } from "./prune";

/** More links than these are no picture, only a table. */
const mostLinks = 4_000;
/** Of a program: bias, result and jump; of each input fetch, weight, product and sum; the clamp of ReLU. */
const instructions = { fixed: 3, perInput: 4, relu: 4 } as const;

/** Processors and links of a machine, for the report. Upstream numbers processors by the alphabet of their names. */
export function drawnMachine(layers: readonly NamedLayer[], type: NumberTypeId): MachineDrawing {
  const names = layers.flatMap((layer, at) =>
    layer.bias.map((_, output) => processorName(at + 1, output)),
  );
  const numbers = new Map(names.sort().map((name, number) => [name, number]));
  const links = layers.flatMap(({ weights }) => weights).filter((weight) => weight !== null).length;
  return {
    type,
    inputs: layers[0]?.inputSize ?? 0,
    layers: layers.map((layer, at) => ({
      name: layer.name,
      relu: layer.relu,
      processors: layer.bias.map((_, output) => {
        const from = connectionsOf(layer, output).map((connection) => connection.from);
        return {
          number: numbers.get(processorName(at + 1, output)) ?? 0,
          inputs: from.length,
          instructions:
            instructions.fixed +
            instructions.perInput * from.length +
            (layer.relu ? instructions.relu : 0),
          ...(links <= mostLinks ? { from } : {}),
        };
      }),
    })),
  };
}
