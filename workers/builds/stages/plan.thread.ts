import { getBoardModel } from "@/boards";
import { getEngine, type ParsedModel, type Plan } from "@/engines";
import type { BoardKind, Digest, ModelCard } from "@/lib/common/contract";
import { fail, fromErrorData } from "@/lib/common/errors";
import type { Rows } from "@/lib/common/rows";
import { digestOf } from "@/lib/server/digest";
import { answerThread } from "@/lib/server/process";

export interface PlanTask {
  readonly engine: string;
  readonly model: ParsedModel;
  readonly card: ModelCard | null;
  readonly sourceName: string;
  readonly calibration: Rows | null;
  readonly boardModel: string;
  readonly boardKind: BoardKind;
  readonly options: Readonly<Record<string, unknown>>;
  readonly toolVersions: Readonly<Record<string, string>>;
  readonly sourceDigest: Digest;
}

answerThread(({ engine: id, boardModel, options, ...request }: PlanTask): Plan => {
  const engine = getEngine(id);
  const board = getBoardModel(boardModel);
  for (const verdict of [
    engine.supports(board, request.boardKind),
    engine.accepts(request.model),
  ]) {
    if (!verdict.ok) throw fromErrorData(verdict.problem);
  }
  const parsed = engine.optionsSchema.safeParse(options);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw fail("OPTION_INVALID", `Option ${issue?.path.join(".")}: ${issue?.message}.`);
  }
  return engine.plan({ ...request, board, options: parsed.data, sha256: digestOf });
});
