/** Cells of a core that belong together: a layer, the lanes of an array, its memories. Rules are tried in order. */
export interface SectionRule {
  readonly id: string;
  readonly name: string;
  /** Regular expression for the names of cells, as they are called within the core. */
  readonly cells: string;
  /** Where `cells` captures a number: the largest that still belongs here. */
  readonly upTo?: number;
}

/** Of a core that works off all layers on one array, as `compiler/verilog` prints it. */
export const arraySections: readonly SectionRule[] = [
  {
    id: "lanes",
    name: "Multiply-accumulate lanes",
    cells: "^(multiply|product|sum|accumulator|drain)_?\\d+",
  },
  { id: "weights", name: "Weights", cells: "^weights?_\\d" },
  {
    id: "activations",
    name: "Hidden values",
    cells: "^(activations?|(read|value|write)_(address|data|enable))",
  },
  {
    id: "requantise",
    name: "Bias, rounding and clamping",
    cells:
      "^(constants?|tap|coarse|fine|rounded|shift|doubled|nudged|negative|fits|over)(_|\\.|\\[|$)",
  },
  {
    id: "program",
    name: "Program of the array",
    cells: "^(group|entry|program|pause|remaining|weight_row|issue|load|busy)",
  },
  {
    id: "answer",
    name: "Answer",
    cells: "^(results?|answers|word|high|out|sent|all_sent|ended)(_|\\.|\\[|$)",
  },
];

/** Of a core that walks through feature maps, as `compiler/convolution` prints it. */
export const walkSections: readonly SectionRule[] = [
  {
    id: "lanes",
    name: "Multiply-accumulate lanes",
    cells: "^(multiply|product|sum|accumulator|drain|held)_?\\d+",
  },
  { id: "weights", name: "Weights", cells: "^weights?_\\d" },
  {
    id: "maps",
    name: "Feature maps",
    cells:
      "^((second_)?(maps|activation|operand|seen|x)|map_address|outside|write(_|$))(_|\\.|\\[|\\d|$)?",
  },
  {
    id: "requantise",
    name: "Bias, rounding, clamping and pooling",
    cells:
      "^(constants?|tap|coarse|fine|rounded|shift|doubled|negative|fits|has_sign|(un)?signed_values?|held_[ab]|larger|kept|best)(_|\\.|\\[|$)",
  },
  {
    id: "walk",
    name: "Walk through the maps",
    cells:
      "^(step|sweeps?|final_sweep|left|ends?|last|changes?|count|counting|pixel|place|group|row|address|window_ends|closes|opens|alone|short|pause|busy|level|first|active|lane|reload|accumulate|clear|start)(_|\\.|\\[|\\d|$)",
  },
  {
    id: "answer",
    name: "Answer",
    cells: "^(results?|answers|word|high|out|sent|deliver|begin)(_|\\.|\\[|$)",
  },
];

/** Of a tree core, as `compiler/trees` prints it. */
export const treeSections: readonly SectionRule[] = [
  {
    id: "comparisons",
    name: "Comparisons",
    cells: "^(below|digit|missing|rank|high_byte|low_byte)",
  },
  { id: "trees", name: "Trees", cells: "^(leaf|part|reached|value)_\\d" },
  { id: "sums", name: "Sums", cells: "^sum_\\d" },
  { id: "answer", name: "Answer", cells: "^(score|out)_" },
];

/**
 * Of an unrolled core, as `compiler/unrolled` prints it: signals are numbered through all layers.
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
