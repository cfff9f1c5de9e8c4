import type { SectionRule } from "../architecture";

/**
 * Of an unrolled core: signals are numbered through all layers.
 *
 * @param layers Name of each layer, with the number of its last signal.
 */
export function unrolledSections(
  layers: readonly { readonly name: string; readonly lastSignal: number }[],
): SectionRule[] {
  const [first] = layers;
  const layerRules = layers.map(({ name, lastSignal }, index) => ({
    id: `layer-${index}`,
    name,
    cells: "^net\\.n?s(\\d+)",
    upTo: lastSignal,
  }));
  return [
    ...layerRules,
    ...(first ? [{ id: "layer-0", name: first.name, cells: "^net\\.n?x\\d" }] : []),
    { id: "row", name: "Row of inputs", cells: "^(row_\\d|in_index)" },
    { id: "answer", name: "Answer", cells: "^(result|answer|out)_" },
  ];
}
