/** Counters and handshakes of the core. */
const controlCells = 80;

/** Cells, and flip-flops, around a network: the row and the scores that are held, and the control. */
export const heldBits = (inputs: number, scoreBits: number): number =>
  8 * inputs + scoreBits + controlCells;
