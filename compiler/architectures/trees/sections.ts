import type { SectionRule } from "../architecture";

/** Of a tree core. */
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
