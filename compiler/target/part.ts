import { type BoardModel, type FamilyCosts, familyCosts } from "@/boards";

/** What a part offers, and what cores take of it. */
export interface ArrayPart extends PartResources {
  readonly costs: FamilyCosts;
}

/** What a part offers; as much of the board's entry as an estimate needs. */
export interface PartResources {
  readonly lut: number;
  readonly ff: number;
  readonly bramBlocks: number;
  readonly bramBlockBits: number;
  readonly dsp: number;
}

/** The part that a core is designed for. */
export interface PartTarget {
  /** Of its family. */
  readonly costs: FamilyCosts;
  readonly part: PartResources;
}

/** The same, on a board. */
export interface Target extends PartTarget {
  /** How people call the board, for messages. */
  readonly name: string;
}

export const arrayPart = ({ part, costs }: PartTarget): ArrayPart => ({ ...part, costs });

/** A board as cores are designed for it. */
export const targetOf = ({ name, part: { family, resources } }: BoardModel): Target => ({
  name,
  costs: familyCosts(family),
  part: resources,
});
