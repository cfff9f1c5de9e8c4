import type { Places } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { isKey } from "./s3";
import type { SourceKind } from "./source-kind";

/** A file of a repository of models. */
export interface HubAddress {
  readonly owner: string;
  readonly name: string;
  readonly path: string;
  /** A branch, a tag, or a commit. */
  readonly revision: string;
}

const partPattern = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,95}$/;
const revisionPattern = /^[A-Za-z0-9_][A-Za-z0-9._/-]{0,127}$/;
const addressPattern = /^hf:\/\/([^/@]+)\/([^/@]+)\/([^@]+)(?:@(.+))?$/u;
const mostLetters = 2048;

/** Reads `hf://owner/name/path`, with `@revision` where it is not `main`. @throws {AppError} `URL_NOT_ALLOWED` */
export function parseHubAddress(address: string, field = "model.url"): HubAddress {
  const found = address.length > mostLetters ? null : addressPattern.exec(address);
  const [, owner = "", name = "", path = "", revision = "main"] = found ?? [];
  const isGood =
    [owner, name].every((part) => partPattern.test(part)) &&
    isKey(path) &&
    revisionPattern.test(revision) &&
    !revision.split("/").some((part) => /^\.{0,2}$/.test(part));
  if (!isGood) {
    throw fail(
      "URL_NOT_ALLOWED",
      "This is no address of a file in a repository of models: one is hf://owner/name/model.onnx, with @revision behind it where it is not main.",
      { field, hint: "Correct the address." },
    );
  }
  return { owner, name, path, revision };
}

/** A hub that speaks as Hugging Face's: `hf://owner/name/path@revision`. */
export const huggingface: SourceKind<Places["huggingface"]> = {
  prefixes: () => ["hf://"],
  claims: () => ["all addresses that begin with hf://"],
  origins: ({ endpoint }) => [endpoint],
  leadsTo: (address) => address.startsWith("hf://"),
  check: (address, field) => void parseHubAddress(address, field),
};
