import { create } from "@bufbuild/protobuf";
import { ModelMetadataResponseSchema } from "@/proto/inference";
import type { ServedRevision } from "../core";

/** A `ModelMetadataResponse`. @param versions Those that are ready, or the one that was asked for. */
export function modelMetadataMessage(
  name: string,
  { platform, inputs, outputs }: ServedRevision,
  versions: readonly string[],
) {
  const tensor = (spec: ServedRevision["inputs"][number]) => ({
    name: spec.name,
    datatype: spec.datatype,
    shape: spec.shape.map(BigInt),
  });
  return create(ModelMetadataResponseSchema, {
    name,
    versions: [...versions],
    platform,
    inputs: inputs.map(tensor),
    outputs: outputs.map(tensor),
  });
}
