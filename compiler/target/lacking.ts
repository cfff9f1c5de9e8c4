import type { PartResources } from "./part";
import { usableCells } from "./usable-cells";

/** A resource that a part has too little of. */
export interface Lacking {
  readonly id: "lut" | "ff" | "bram" | "dsp";
  readonly name: string;
  readonly needed: number;
  /** What designs may use of the part. */
  readonly available: number;
}

const names = {
  lut: "Logic cells",
  ff: "Flip-flops",
  bram: "Block RAM",
  dsp: "Multipliers",
} as const satisfies Record<Lacking["id"], string>;

export const lackingOf = (id: Lacking["id"], needed: number, available: number): Lacking => ({
  id,
  name: names[id],
  needed,
  available,
});

/** What a design needs more of than the part has. */
export function lackingFor(
  { lut, bramBlocks }: { readonly lut: number; readonly bramBlocks: number },
  part: PartResources,
): readonly Lacking[] {
  return [
    lackingOf("bram", bramBlocks, part.bramBlocks),
    lackingOf("lut", lut, Math.floor(part.lut * usableCells)),
  ].filter(({ needed, available }) => needed > available);
}

/** As what follows "it": `needs 41 block RAMs of 30 and about 5210 logic cells of 3960 usable`. */
export function lackInWords(lacking: readonly Lacking[]): string {
  const each = lacking.map(({ id, needed, available }) =>
    id === "bram"
      ? `${needed} block RAMs of ${available}`
      : `about ${needed} ${names[id].toLowerCase()} of ${available} usable`,
  );
  return each.length === 0 ? "needs no lanes" : `needs ${each.join(" and ")}`;
}
