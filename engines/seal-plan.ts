import { canonicalJson, type Digest } from "@/lib/common/contract";
import type { Plan, PlanRequest, Variant } from "./engine";

/** A plan before it has a digest; `identify` renders the files of a variant that depend on it. */
export interface PlanDraft extends Omit<Plan, "digest"> {
  readonly identify?: (
    digest: Digest,
    variant: Variant,
  ) => ReadonlyMap<string, string | Uint8Array>;
}

/**
 * Gives a plan its digest: that of everything that decides the products (files, steps, tool versions, our own sources,
 * vectors, model card), but not of the files that are rendered from the digest, which are added afterwards.
 */
export function sealPlan(
  draft: PlanDraft,
  request: Pick<PlanRequest, "card" | "toolVersions" | "sourceDigest" | "sha256">,
): Plan {
  const { card, toolVersions, sourceDigest, sha256 } = request;
  const { identify, files, variants, vectors, taps, reference, forecast: _, ...rest } = draft;
  const text = new TextEncoder();
  const digestOf = (content: string | Uint8Array) =>
    sha256(typeof content === "string" ? text.encode(content) : content);
  const digestsOf = (map: Plan["files"]) =>
    [...map].map(([name, content]) => [name, digestOf(content)]).sort();
  const rows = new Uint8Array(vectors.reduce((size, row) => size + row.length, 0));
  let offset = 0;
  for (const row of vectors) {
    rows.set(new Uint8Array(row.buffer, row.byteOffset, row.length), offset);
    offset += row.length;
  }
  const digest = digestOf(
    canonicalJson({
      ...rest,
      card,
      toolVersions,
      sourceDigest,
      files: digestsOf(files),
      variants: variants.map((variant) => ({ ...variant, files: digestsOf(variant.files) })),
      vectors: digestOf(rows),
      taps: digestOf(canonicalJson(taps)),
      reference: digestOf(canonicalJson(reference)),
    }),
  );
  return {
    ...rest,
    files,
    vectors,
    taps,
    reference,
    forecast: draft.forecast,
    digest,
    variants: variants.map((variant) => ({
      ...variant,
      files: new Map([...variant.files, ...(identify?.(digest, variant) ?? [])]),
    })),
  };
}
