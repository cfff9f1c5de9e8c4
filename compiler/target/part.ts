/** A part for an array: what it offers, and its family, as `boards` names it. */
export interface ArrayPart extends PartResources {
  readonly family: string;
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
  /** As `boards` names it. */
  readonly family: string;
  readonly part: PartResources;
}

/** The same, on a board. */
export interface Target extends PartTarget {
  /** How people call the board, for messages. */
  readonly name: string;
}

export const arrayPart = ({ part, family }: PartTarget): ArrayPart => ({ ...part, family });
