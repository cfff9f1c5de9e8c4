import type { ArtifactIo, ModelCard } from "@/lib/common/contract";

type Input = ArtifactIo["inputs"][number];

/** A valid V2 request of one typical row: the mean of the training data where it is known, zeros where not. */
export function sampleRequest(io: ArtifactIo, card: ModelCard | null): unknown {
  return {
    inputs: io.inputs.map((input) => ({
      name: input.name,
      shape: [1, ...input.shape.slice(1).map((size) => Math.max(1, size))],
      datatype: input.datatype,
      data: sampleRow(input, card),
    })),
  };
}

function sampleRow({ datatype, size, standardise }: Input, card: ModelCard | null): unknown[] {
  if (datatype === "BYTES") return Array.from({ length: size }, () => "");
  if (datatype === "BOOL") return Array.from({ length: size }, () => false);
  const means = [standardise?.mean, card?.inputRange?.mean].find((each) => each?.length === size);
  const isFloat = /^(FP|BF)/.test(datatype);
  return Array.from({ length: size }, (_, i) => {
    const mean = means?.[i] ?? 0;
    return isFloat ? Number(mean.toPrecision(4)) : Math.round(mean);
  });
}
