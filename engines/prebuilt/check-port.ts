import type { ArtifactIo, Manifest } from "@/lib/common/contract";
import { bytesOfInput } from "@/lib/common/core-io";

type Core = NonNullable<Manifest["core"]>;

/** What keeps the tensors of an artifact from passing the port of its core; null: they pass. */
export function portFault({ inputs, outputs }: ArtifactIo, core: Core): string | null {
  const sent = inputs.reduce((sum, input) => sum + bytesOfInput(input), 0);
  if (inputs.length === 0 || outputs.length === 0) return "it has no input or no output";
  if (sent !== core.inputBytes)
    return `its inputs are ${sent} bytes, its core takes ${core.inputBytes}`;
  if (![1, 2, 4].includes(core.bytesPerOutput) || core.outputBytes % core.bytesPerOutput !== 0) {
    return `its core's ${core.outputBytes} bytes are not whole outputs of ${core.bytesPerOutput}`;
  }
  const bare = inputs.find(
    ({ fixedPoint, float, quantise, ranks }) => !fixedPoint && !float && !quantise && !ranks,
  );
  if (bare) return `nothing says how input "${bare.name}" is sent`;
  const open = outputs.find(({ fixedPoint, float }) => !fixedPoint && !float);
  if (open) return `nothing says what the bytes of output "${open.name}" mean`;
  const scores = core.outputBytes / core.bytesPerOutput;
  const beyond = outputs.find((output) => lastScoreOf(output) > scores);
  return beyond ? `output "${beyond.name}" has more scores than the core's ${scores}` : null;
}

function lastScoreOf({ scores, size, activation }: ArtifactIo["outputs"][number]): number {
  if (scores) return scores.first + scores.count;
  return activation === "argmax" ? 1 : size;
}
