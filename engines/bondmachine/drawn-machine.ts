import type { MachineDrawing } from "@/lib/common/contract";
import type { NumberTypeId } from "../reference/number-type";
import type { MachinePart } from "./parts";

/** More links than these are no picture, only a table. */
const mostLinks = 4_000;

/** Processors and links of a machine, for the report. Upstream numbers processors by the alphabet of their names. */
export function drawnMachine(
  parts: readonly MachinePart[],
  { type, inputs }: { readonly type: NumberTypeId; readonly inputs: number },
): MachineDrawing {
  const all = parts.flatMap(({ processors }) => processors);
  const numbers = new Map(
    all
      .map(({ name }) => name)
      .sort()
      .map((name, number) => [name, number]),
  );
  const links = all.reduce((sum, { from }) => sum + from.length, 0);
  return {
    type,
    inputs,
    layers: parts.map(({ name, relu, softmaxTerms, processors }) => ({
      name,
      relu,
      ...(softmaxTerms === undefined ? {} : { softmaxTerms }),
      processors: processors.map(({ name: own, from, instructions }) => ({
        number: numbers.get(own) ?? 0,
        inputs: from.length,
        instructions,
        ...(links <= mostLinks ? { from: [...from] } : {}),
      })),
    })),
  };
}
