import { type ReadRows, readRows } from "@/lib/common/rows";
import { answerThread } from "@/lib/server/process";

export interface ReadRowsTask {
  readonly bytes: Uint8Array;
  /** Inputs of the model. */
  readonly width: number;
  readonly source: string;
}

answerThread(({ bytes, width, source }: ReadRowsTask): ReadRows => readRows(bytes, width, source));
