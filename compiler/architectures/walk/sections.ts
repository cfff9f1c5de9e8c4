import type { SectionRule } from "../architecture";

/** Of a core that walks through feature maps. */
export const walkSections: readonly SectionRule[] = [
  {
    id: "lanes",
    name: "Multiply-accumulate lanes",
    cells: "^(multiply|product|sum|accumulator|drain|held)_?\\d+",
  },
  { id: "weights", name: "Weights", cells: "^(weights?_\\d|load|grouped)" },
  {
    id: "maps",
    name: "Feature maps",
    cells:
      "^((second_)?(maps|activation|operand|seen|x)|map_address|outside|write(_|$))(_|\\.|\\[|\\d|$)?",
  },
  {
    id: "requantise",
    name: "Bias, rounding, clamping, functions and pooling",
    cells:
      "^(constants?|tables?|tap|coarse|fine|nudged|rounded|lost|to_(even|odd|floor)|is_tie|shift|doubled|negative|fits|least|most|unbounded|looked|looks_up|passed|has_sign|(un)?signed_values?|held_[ab]|larger|kept|best)(_|\\.|\\[|$)",
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
