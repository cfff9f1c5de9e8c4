import { readFileSync } from "node:fs";

/** One call to the original servers, with the bytes of its request and of every reply. */
export interface Recorded {
  readonly note: string;
  readonly method: string;
  readonly requestHex: string;
  readonly replies?: readonly { readonly hex: string }[];
  readonly status?: string;
}

/** Everything that was recorded of the original board and build servers. */
export const transcript: readonly Recorded[] = JSON.parse(
  readFileSync("tests/fixtures/bond/transcript.json", "utf8"),
).calls;

/** A call by its note. */
export function recorded(note: string): Recorded {
  const call = transcript.find((each) => each.note === note);
  if (!call) throw new Error(`nothing is recorded as "${note}"`);
  return call;
}

/** The bytes of a call's replies. */
export const repliesOf = (note: string): Buffer[] =>
  (recorded(note).replies ?? []).map(({ hex }) => Buffer.from(hex, "hex"));
