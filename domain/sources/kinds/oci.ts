import type { Digest, Places } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { SourceKind } from "./source-kind";

/** A layer of an image in a registry. */
export interface LayerAddress {
  /** `host`, or `host:port`. */
  readonly host: string;
  readonly repository: string;
  /** A tag, or the digest of the manifest. */
  readonly reference: { readonly tag: string } | { readonly digest: Digest };
  /** Which layer, by its title; null: the only one. */
  readonly title: string | null;
}

/** Distribution specification 1.1: names of repositories, tags. */
const repositoryPattern =
  /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;
const tagPattern = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;
const titlePattern = /^[\p{L}\p{N}!$&'()+,\-./:;=_~ ]{1,255}$/u;
const addressPattern =
  /^oci:\/\/([a-z0-9.-]+(?::\d{1,5})?|\[[0-9a-f:.]+\](?::\d{1,5})?)\/([^@:#]+)(?:@(sha256:[0-9a-f]{64})|:([^@:#]+))?(?:#(.+))?$/u;
const mostLetters = 2048;

/** Reads `oci://host/repository:tag` or `…@sha256:…`, with `#title` where there are several layers. @throws {AppError} `URL_NOT_ALLOWED` */
export function parseLayerAddress(address: string, field = "model.url"): LayerAddress {
  const found = address.length > mostLetters ? null : addressPattern.exec(address);
  const [, host = "", repository = "", digest, tag = "latest", title] = found ?? [];
  const isGood =
    found !== null &&
    repositoryPattern.test(repository) &&
    repository.length <= 255 &&
    (digest !== undefined || tagPattern.test(tag)) &&
    (title === undefined || titlePattern.test(title));
  if (!isGood) {
    throw fail(
      "URL_NOT_ALLOWED",
      "This is no address in a registry: one is oci://registry.example.com/models/jets:v1, or …/jets@sha256:… with 64 digits; #model.onnx behind it names one of several layers.",
      { field, hint: "Correct the address." },
    );
  }
  return {
    host,
    repository,
    reference: digest === undefined ? { tag } : { digest: digest as Digest },
    title: title ?? null,
  };
}

const hostOf = (origin: string): string => new URL(origin).host;
const schemeOf = (origin: string): string => new URL(origin).protocol;

/** A registry of the OCI's Distribution specification: `oci://host/repository:tag#title`. */
export const oci: SourceKind<Places["oci"]> = {
  prefixes: ({ registry }) => [`oci://${hostOf(registry)}/`],
  claims: ({ registry }) => [`the registry ${hostOf(registry)}`],
  // What gives tokens is spoken to as the registry is.
  origins: ({ registry, tokenHost }) =>
    tokenHost === undefined
      ? [registry]
      : [registry, new URL(`${schemeOf(registry)}//${tokenHost}`).origin],
  leadsTo: (address, { registry }) => {
    const [, host = ""] = /^oci:\/\/([^/]+)\//.exec(address) ?? [];
    return host.replace(/:443$/, "") === hostOf(registry);
  },
  check: (address, field) => void parseLayerAddress(address, field),
};
