/** Header, CRC and framing of a request and its answer, and the cycle count in the latter. */
const frameBytes = 2 * 8 + 4;

/** Bytes of a row and its answer on a serial line. */
export const bytesOnLine = (row: {
  readonly inputBytes: number;
  readonly outputBytes: number;
}): number => frameBytes + row.inputBytes + row.outputBytes;
