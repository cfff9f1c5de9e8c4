"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useBoardFacts } from "@/components/boards";
import { equalBuildsQuery } from "@/components/forecasts";
import {
  formatCount,
  Skeleton,
  TerminalCommand,
  useOrigin,
  useResourceName,
} from "@/components/ui";
import type { BoardModelSummary, Fit, Inspection } from "@/lib/common/contract";
import { deployCommand } from "./deploy-command";
import type { Draft } from "./draft";
import type { RevisionOf } from "./form-start";
import { Outlook } from "./outlook";
import { givenRange } from "./range-draft";
import { ReuseLine } from "./reuse-line";
import type { useDeploy } from "./use-deploy";
import type { SubmitWords } from "./use-submit-words";

// Only where an endpoint gets a further revision.
const RevisionOutlook = dynamic(
  () => import("./revision-outlook").then((module) => module.RevisionOutlook),
  { ssr: false },
);

const ForecastPanel = dynamic(
  () => import("./forecast-panel").then((module) => module.ForecastPanel),
  { ssr: false, loading: () => <Skeleton lines={7} /> },
);

/** What the answers come to, so far. Never empty: before there is a forecast it tells what will happen. */
export function Summary({
  form,
  revisionOf,
  words,
  onReset,
  onFit,
}: {
  form: ReturnType<typeof useDeploy>;
  /** The endpoint that gets a further revision; null: a new one is made. */
  revisionOf: RevisionOf | null;
  words: SubmitWords;
  /** Takes the settings back with which the form began. */
  onReset: () => void;
  /** Takes over a change with which it would fit. */
  onFit: (fit: Fit) => void;
}) {
  const t = useTranslations("deploy");
  const { draft, choices, sending } = form;
  const { facts } = form.reading;
  // Why the engine cannot take the model: then there is nothing to forecast.
  const { engine, isFirmware, engineRefusal, boardModel } = choices;
  const board = useBoardFacts(draft.board?.model ?? "");
  const equal = useEqualBuilds(draft, facts);
  const origin = useOrigin();
  return (
    <aside
      aria-label={t("summary")}
      className="border-line max-desk:border-t max-desk:pt-6 desk:sticky desk:top-6 desk:border-l desk:pl-7"
    >
      {revisionOf ? (
        <RevisionOutlook draft={draft} revisionOf={revisionOf} onReset={onReset} />
      ) : null}
      {engineRefusal === null ? <ReuseLine reusable={equal?.reusable ?? null} /> : null}
      {engineRefusal !== null && engine ? (
        <div className="mb-5">
          <h2 className="mb-2">{t("notWith", { engine: engine.id })}</h2>
          <p className="text-dense">
            {engine.id}: {engineRefusal}
          </p>
          <p className="mt-2 text-dense text-muted">{t("chooseEngine")}</p>
        </div>
      ) : engine?.forecasts && isFirmware && facts && draft.board ? (
        <ForecastPanel
          engine={engine.id}
          facts={facts}
          boardModel={draft.board.model}
          options={draft.options}
          equal={equal}
          onFit={onFit}
        />
      ) : (
        <Outlook
          facts={facts}
          isFirmware={isFirmware}
          proves={engine?.proves ?? true}
          boardName={draft.board ? board.name : null}
        />
      )}
      {engine?.forecasts && !facts && boardModel ? <Budget board={boardModel} /> : null}
      <button
        type="submit"
        className="btn btn-primary my-3 h-11 w-full max-desk:hidden"
        disabled={sending}
        aria-busy={sending}
      >
        {words.text} {words.keys === null ? null : <kbd>{words.keys}</kbd>}
      </button>
      <TerminalCommand
        title={t("terminal")}
        command={deployCommand(draft, origin, revisionOf?.endpoint.name)}
      />
    </aside>
  );
}

/** What builds of this very request came to; null while there is no whole request, or nobody knows yet. */
function useEqualBuilds(draft: Draft, facts?: Inspection) {
  const { engine, board, options, calibration } = draft;
  const inputRange = givenRange(draft);
  const query = useQuery({
    ...equalBuildsQuery({
      modelDigest: facts?.digest ?? "sha256:",
      engine,
      board: { model: board?.model ?? "", kind: board?.kind ?? "cpu" },
      options,
      ...(inputRange ? { inputRange } : {}),
      ...(calibration ? { calibration: { url: calibration.url } } : {}),
    }),
    enabled: facts !== undefined && board !== null && engine !== "",
  });
  return query.data ?? null;
}

const kinds = [
  ["lut", "lut"],
  ["bramBlocks", "bram"],
  ["dsp", "dsp"],
] as const;

function Budget({ board }: { board: BoardModelSummary }) {
  const t = useTranslations("deploy");
  const nameOf = useResourceName();
  return (
    <div className="mb-5 text-dense">
      <h3 className="mb-1">{t("boardHas", { board: board.name })}</h3>
      {kinds.map(([id, name]) =>
        board.resources[id] ? (
          <div key={id} className="flex justify-between">
            <span>{nameOf({ id: name })}</span>
            <span>{formatCount(board.resources[id])}</span>
          </div>
        ) : null,
      )}
    </div>
  );
}
