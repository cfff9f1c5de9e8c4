/** The slot that a model is loaded into. */
export interface SlotPlace {
  readonly slotId: string;
  readonly slotEpoch: number;
  readonly revisionId: string;
}

/** The slot that a model answers for, and the socket on which it does so itself. */
export interface DirectPlace extends SlotPlace {
  readonly path: string;
}
