"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import type { KeyboardEvent } from "react";
import { PathLine } from "@/components/ui";
import { DeployBar } from "./deploy-bar";
import { fileNameOf } from "./draft";
import { EngineAndBoard } from "./engine-and-board";
import { ExactnessQuestion } from "./exactness-question";
import type { FormStart } from "./form-start";
import { LeaveGuard } from "./leave-guard";
import { ModelQuestion } from "./model-question";
import { FixedName, NameQuestion } from "./name-question";
import { OptionsDrawer } from "./options-drawer";
import { PinnedLine } from "./pinned-line";
import { ProblemSummary } from "./problem-summary";
import { RangeQuestion } from "./range-question";
import { RecipeBar } from "./recipe-bar";
import { RestoredLine } from "./restored-line";
import { ServingLine } from "./serving-line";
import { Summary } from "./summary";
import { useDeploy } from "./use-deploy";
import { useQuestionOfAddress } from "./use-question-of-address";
import { useSubmitKey } from "./use-submit-key";
import { useSubmitWords } from "./use-submit-words";

// Asked only once a model was read.
const SignatureQuestion = dynamic(
  () => import("./signature-question").then((module) => module.SignatureQuestion),
  { ssr: false },
);

/** Four questions in any order, and what they will come to. */
export function DeployForm({ start, gatewayUrl }: { start: FormStart; gatewayUrl: string }) {
  const t = useTranslations("deploy");
  const form = useDeploy(start);
  const { edit, submit } = form;
  const { revisionOf } = start;
  useQuestionOfAddress(form.reading.facts !== undefined);
  useSubmitKey(submit);
  const words = useSubmitWords(revisionOf !== null, form.sending);
  return (
    <>
      <PathLine
        here={0}
        done={1}
        stations={[
          { label: t("stations.model") },
          { label: t("stations.artifact") },
          { label: t("stations.board") },
          { label: t("stations.endpoint") },
        ]}
      />
      <h1 className={revisionOf ? "mb-1" : "mb-6"}>
        {revisionOf ? t("revisionTitle", { name: revisionOf.endpoint.name }) : t("title")}
      </h1>
      {revisionOf ? (
        <p className="mb-6 max-w-[72ch] text-muted">
          {t("revisionText", { ordinal: revisionOf.from.ordinal })}
        </p>
      ) : null}
      <LeaveGuard isOn={form.kept.isUnsent && !form.sending} />
      {form.kept.isRestored ? <RestoredLine onRestart={form.kept.restart} /> : null}
      <RecipeBar form={form} revisionOf={revisionOf} />
      <form
        noValidate
        className="deploy-form grid grid-cols-[minmax(0,1fr)] items-start gap-x-14 gap-y-6 desk:grid-cols-[minmax(0,1fr)_320px]"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        onKeyDown={keepEnter}
      >
        <Questions form={form} start={start} gatewayUrl={gatewayUrl} />
        <Summary
          form={form}
          revisionOf={revisionOf}
          words={words}
          onReset={() => edit(start.draft)}
          onFit={(fit) =>
            edit({
              options: fit.options,
              ...(fit.board === undefined
                ? {}
                : { board: { model: fit.board, kind: "simulated" } as const }),
            })
          }
        />
        <DeployBar form={form} words={words} />
      </form>
    </>
  );
}

function Questions({
  form,
  start,
  gatewayUrl,
}: {
  form: ReturnType<typeof useDeploy>;
  start: FormStart;
  gatewayUrl: string;
}) {
  const { draft, reading, choices, edit } = form;
  const { facts } = reading;
  const { engine } = choices;
  const complaints = form.complaints.shown;
  const fileName = fileNameOf(draft);
  return (
    <div>
      <ProblemSummary place={form.problems} complaints={form.complaints} onRetry={form.submit} />
      <ModelQuestion
        url={draft.url}
        fileName={fileName}
        complaint={complaints.model}
        reading={reading}
        onUrl={(url, at) => {
          edit({ url });
          if (at === "at once") form.readNow(url);
        }}
        onUpload={(stored, name) => {
          edit({ url: stored, upload: { url: stored, name } });
          form.readNow(stored);
        }}
        onBlur={() => form.readNow(draft.url)}
        onRetry={form.readAgain}
      />
      <PinnedLine draft={draft} onTakeAnew={() => edit({ pinned: undefined })} />
      <EngineAndBoard
        draft={draft}
        format={facts?.format ?? null}
        choices={choices}
        verdicts={form.verdicts}
        complaints={complaints}
        onEdit={edit}
      />
      {start.revisionOf ? (
        <FixedName name={draft.name} complaint={complaints.name} baseUrl={gatewayUrl} />
      ) : (
        <NameQuestion
          name={draft.name}
          complaint={complaints.name}
          baseUrl={gatewayUrl}
          onName={(text) => edit({ name: text, named: text !== "" })}
          onBlur={() => form.complaints.touch("name")}
        />
      )}
      <OptionsDrawer
        engine={engine}
        draft={draft}
        facts={facts}
        complaint={complaints.options}
        onEdit={edit}
      />
      {engine && choices.isFirmware && !facts?.firmware ? (
        <>
          <RangeQuestion
            draft={draft}
            facts={facts}
            complaint={complaints.range}
            onEdit={edit}
            onLeave={() => form.complaints.touch("range")}
          />
          <ExactnessQuestion
            draft={draft}
            searches={engine.forecasts}
            facts={facts}
            complaint={complaints.calibration}
            onEdit={edit}
          />
        </>
      ) : null}
      {facts && !facts.firmware ? (
        <SignatureQuestion
          draft={draft}
          facts={facts}
          complaint={complaints.features}
          onEdit={edit}
          onLeave={() => form.complaints.touch("features")}
        />
      ) : null}
      <ServingLine value={draft.serving} onChange={(serving) => edit({ serving })} />
    </div>
  );
}

/** A field left by Enter is rarely the last one: Enter alone sends nothing. */
function keepEnter(event: KeyboardEvent): void {
  const isAlone = !event.metaKey && !event.ctrlKey;
  if (event.key === "Enter" && isAlone && event.target instanceof HTMLInputElement)
    event.preventDefault();
}
