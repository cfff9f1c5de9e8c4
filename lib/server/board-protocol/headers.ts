/**
 * Headers of a signed request of a board server: the signature covers `signedText` over a nonce that the portal gave. Not
 * `x-bw-…`: the portal's front takes those off whatever comes from outside.
 */
export const boardServerHeaders = {
  server: "board-server",
  nonce: "board-server-nonce",
  signature: "board-server-signature",
  /** What it calls itself: unsigned, for people, and for which words it knows. */
  version: "board-server-version",
} as const;

/** Headers between gateway and board server on `POST /slots/<slotId>/infer`, a binary V2 body both ways. */
export const inferHeaders = {
  revision: "x-bw-revision",
  slotEpoch: "x-bw-slot-epoch",
  deadlineMs: "x-bw-deadline-ms",
  /** JSON of `timingSchema` with what the board server measured. */
  timing: "x-bw-timing",
  /** How many elements of each row's inputs were outside of the firmware's range, `2,0,1`; absent where none was. */
  clipped: "x-bw-clipped",
  /** Bytes of real memory that the model holds on the board server; absent where it cannot be told. */
  memory: "x-bw-memory",
  /** A socket of the model's own on the same host, for further calls of this slot at this epoch. */
  direct: "x-bw-direct",
} as const;

/** The text that a board server signs: method, path, nonce and the hex SHA-256 of the body, one per line. */
export function signedText(request: {
  readonly method: string;
  readonly path: string;
  readonly nonce: string;
  readonly bodySha256: string;
}): string {
  return [request.method, request.path, request.nonce, request.bodySha256].join("\n");
}
