import { z } from "zod";

/** The one rule for names that people create: lower case, starts with a letter, at most 63 characters. */
export const namePattern = /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** Endpoints are not called so: `/v2/models/stats` asks for the statistics of all. */
export const takenByProtocol = "stats";
/** A name as an endpoint may have it, for addresses and labels alike. */
export const nameSchema = z.string().regex(namePattern);

/** SHA-256 in lower-case hexadecimal, with the algorithm in front. */
export const digestPattern = /^sha256:[0-9a-f]{64}$/;
/** `sha256:<hex>` of the exact bytes. */
export const digestSchema = z.string().regex(digestPattern);
/** A digest as its type says: what begins with `sha256:`. */
export type Digest = `sha256:${string}`;

const isDigest = (text: string): text is Digest => text.startsWith("sha256:");

/** A text that is known to be a digest, such as a row's, as one. @throws {RangeError} when it names another algorithm. */
export function toDigest(text: string): Digest {
  if (isDigest(text)) return text;
  throw new RangeError("A digest begins with sha256.");
}

/** A time in UTC, as `2026-01-31T12:00:00Z`. */
export const isoTimeSchema = z.iso.datetime();

/** Prefixes of row ids, shown as `bld_<uuid>`. */
export const idPrefixes = {
  project: "prj",
  user: "usr",
  model: "mdl",
  inspection: "ins",
  build: "bld",
  boardServer: "bsv",
  board: "brd",
  boardTask: "tsk",
  attachment: "att",
  slot: "slt",
  endpoint: "ept",
  revision: "rev",
  request: "req",
  webhook: "whk",
  mailRecipient: "rcp",
  delivery: "dlv",
  recipe: "rec",
  token: "tok",
  link: "lnk",
  invitation: "inv",
  session: "ses",
  signIn: "sgn",
  auditEntry: "aud",
  lease: "lse",
  leaseWait: "wai",
  connection: "con",
  leaseCall: "cal",
} as const;
