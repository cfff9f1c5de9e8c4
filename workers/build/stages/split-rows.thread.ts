import type { ModelCard } from "@/lib/common/contract";
import { answerThread } from "@/lib/server/process";
import { splitRows } from "./split-rows";

export interface SplitRowsTask {
  readonly text: string;
  readonly width: number;
  readonly card: ModelCard | null;
}

answerThread(({ text, width, card }: SplitRowsTask) => splitRows(text, width, card));
