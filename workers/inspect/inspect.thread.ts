import type { ModelCard } from "@/lib/common/contract";
import { answerThread } from "@/lib/server/process";
import { type Inspected, inspectModel } from "./inspect-model";

export interface InspectTask {
  readonly bytes: Uint8Array;
  readonly card: ModelCard | null;
  /** Whether the graph is wanted too: its weights are copied between threads. */
  readonly withGraph: boolean;
}

answerThread(async ({ bytes, card, withGraph }: InspectTask): Promise<Inspected> => {
  const { inspection, ...model } = await inspectModel(bytes, card);
  return { inspection, ...(withGraph ? model : { graph: null, savedModel: null }) };
});
