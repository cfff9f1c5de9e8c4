/** A resource that a part has too little of. */
export interface Lacking {
  readonly id: "lut" | "ff" | "bram";
  readonly name: string;
  readonly needed: number;
  /** What designs may use of the part. */
  readonly available: number;
}

const names = {
  lut: "Logic cells",
  ff: "Flip-flops",
  bram: "Block RAM",
} as const satisfies Record<Lacking["id"], string>;

export const lackingOf = (id: Lacking["id"], needed: number, available: number): Lacking => ({
  id,
  name: names[id],
  needed,
  available,
});
