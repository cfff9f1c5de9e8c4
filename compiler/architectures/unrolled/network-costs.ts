import type { FamilyCosts } from "@/boards";

/** Names the costs on which the form of a network depends: those of one name make the same network of a graph. */
export const networkKey = ({
  needsComplements,
  constantsInChains,
  subtractBits,
  subtractionWorth,
}: FamilyCosts): string =>
  JSON.stringify([needsComplements, constantsInChains, subtractBits, subtractionWorth]);

/** Names all costs on which the figures of a network depend. */
export function costsKey(costs: FamilyCosts): string {
  const { bitsPerStep, tablesPerBit, tablesPerSubtractedBit, tablesAround, sharesCells } =
    costs.adder;
  const adder = [bitsPerStep, tablesPerBit, tablesPerSubtractedBit, tablesAround, sharesCells];
  return `${networkKey(costs)}${JSON.stringify(adder)}`;
}
