import { useTranslations } from "next-intl";
import { ErrorNote, Skeleton } from "@/components/ui";
import { BoardQuestion } from "./board-question";
import type { BoardVerdict } from "./board-verdict";
import { boardFor, engineFor } from "./choices";
import type { Complaints, Draft } from "./draft";
import { EngineQuestion } from "./engine-question";
import { presetOn, presetState } from "./presets";
import { toolsLack } from "./tools-lack";
import type { Choices } from "./use-choices";

interface EngineAndBoardProps {
  readonly draft: Draft;
  /** Of the model, once it was read; null before. */
  readonly format: string | null;
  readonly choices: Choices;
  readonly verdicts: ReadonlyMap<string, BoardVerdict>;
  readonly complaints: Complaints;
  readonly onEdit: (part: Partial<Draft>) => void;
}

/** Questions 2 and 3, of which each answer may change the other so that they go together. */
export function EngineAndBoard({
  draft,
  format,
  choices,
  verdicts,
  complaints,
  onEdit,
}: EngineAndBoardProps) {
  const t = useTranslations("deploy");
  const { engines, models, engineList, boardList } = choices;
  if (engines.isError || models.isError) {
    return (
      <ErrorNote
        title={t("choicesUnreadable")}
        error={engines.error ?? models.error}
        onRetry={() => {
          void engines.refetch();
          void models.refetch();
        }}
      />
    );
  }
  if (!engines.data || !models.data) return <Skeleton lines={6} height={36} />;
  const preset = choices.engine ? presetState(draft, choices.engine).id : "usual";
  return (
    <>
      <EngineQuestion
        choices={engineList}
        value={draft.engine}
        boardName={choices.boardName}
        complaint={complaints.engine}
        lack={
          choices.engine
            ? toolsLack(choices.engine, {
                format,
                board: draft.board?.model ?? null,
                options: draft.options,
              })
            : null
        }
        onChoose={(id) => {
          const chosen = engines.data.items.find((each) => each.id === id);
          onEdit({
            engine: id,
            ...presetOn(preset, chosen),
            ...(chosen ? { board: boardFor(chosen, draft.board, boardList) } : {}),
          });
        }}
      />
      <BoardQuestion
        choices={boardList}
        verdicts={verdicts}
        value={draft.board}
        engine={draft.engine}
        complaint={complaints.board}
        onChoose={(board) => {
          const id = engineFor(board, draft.engine, engineList);
          const chosen = engines.data.items.find((each) => each.id === id);
          onEdit({ board, engine: id, ...(id === draft.engine ? {} : presetOn(preset, chosen)) });
        }}
      />
    </>
  );
}
