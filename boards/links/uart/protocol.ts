/** Version in the high half of a frame's first byte; a shell answers any other with an error. */
export const PROTOCOL_VERSION = 1;

/** Kinds of frames, the low half of the first byte. A host sends `identityRequest` and `infer`, a board the others. */
export const frameKinds = {
  identityRequest: 1,
  identity: 2,
  infer: 3,
  result: 4,
  error: 5,
} as const;
export type FrameKind = (typeof frameKinds)[keyof typeof frameKinds];

/** What the one byte of an error frame means. */
export const frameErrors: Readonly<Record<number, string>> = {
  1: "the design speaks another version of the protocol",
  2: "the design does not know this kind of request",
  3: "the request is not as long as the design's input",
};
