import type { Build, NewEndpoint } from "@/lib/common/contract";

/** A request for firmware of a sample, for a simulated iCEBreaker. */
export const firmware = (name: string, sample = "iris-mlp"): NewEndpoint => ({
  name,
  engine: "boardwalk",
  model: { url: `s3://boardwalk-samples/${sample}/model.onnx` },
  board: { model: "icebreaker", kind: "simulated" },
});

/** The states of a build's stages, by name. */
export const statesOf = ({ stages }: Build) =>
  Object.fromEntries(stages.map(({ name, state }) => [name, state]));
