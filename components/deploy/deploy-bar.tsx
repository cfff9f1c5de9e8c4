"use client";

import { useTranslations } from "next-intl";
import { useBoardFacts } from "@/components/boards";
import { modelTitle } from "@/components/ui";
import { VerdictLine } from "./board-card";
import { fileNameOf, keyOfPick } from "./draft";
import type { useDeploy } from "./use-deploy";
import type { SubmitWords } from "./use-submit-words";

/** Where the summary stands below the questions: what is chosen in two lines, and Deploy, always within reach. */
export function DeployBar({
  form: { draft, choices, verdicts, sending },
  words,
}: {
  form: ReturnType<typeof useDeploy>;
  words: SubmitWords;
}) {
  const t = useTranslations("deploy.bar");
  const board = useBoardFacts(draft.board?.model ?? "");
  const choice = choices.boardList.find(
    ({ pick }) => draft.board !== null && keyOfPick(pick) === keyOfPick(draft.board),
  );
  const verdict = draft.board ? verdicts.get(keyOfPick(draft.board)) : undefined;
  return (
    <section
      aria-label={t("label")}
      className="sticky bottom-14 z-10 -mx-4 flex items-center gap-3 border-t border-line bg-surface px-4 py-2 tablet:bottom-0 tablet:-mx-8 tablet:px-8 desk:hidden"
    >
      <div className="min-w-0 flex-1 text-dense">
        <p className="truncate">
          <b>
            {draft.url.trim() === "" ? t("none") : (fileNameOf(draft) ?? modelTitle(draft.url))}
          </b>{" "}
          <span className="text-muted">
            {t("on", { engine: draft.engine, board: choice?.name ?? board.name })}
          </span>
        </p>
        {choice && verdict ? (
          <VerdictLine choice={choice} verdict={verdict} engine={draft.engine} />
        ) : null}
      </div>
      <button type="submit" className="btn btn-primary h-10" disabled={sending} aria-busy={sending}>
        {words.text}
      </button>
    </section>
  );
}
