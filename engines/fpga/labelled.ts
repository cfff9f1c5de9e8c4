import type { ArtifactIo, ModelCard } from "@/lib/common/contract";

/** Outputs under the names that a card gives the scores, if it names all of them. */
export function labelled(io: ArtifactIo, scores: number, card: ModelCard | null): ArtifactIo {
  const names = card?.classes;
  if (names?.length !== scores) return io;
  return { ...io, outputs: io.outputs.map((output) => ({ ...output, labels: [...names] })) };
}
