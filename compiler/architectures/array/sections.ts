import type { SectionRule } from "../architecture";

/** Of a core that works off all layers on one array. */
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
