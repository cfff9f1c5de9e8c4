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

/** Headers of an inference at the gateway. */
export const inferHeaders = {
  /** Asked with anything: answered with the JSON of `timingSchema`. */
  timing: "x-bw-timing",
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
