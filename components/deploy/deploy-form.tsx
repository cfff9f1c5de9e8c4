"use client";

import type { KeyboardEvent } from "react";
import { PathLine } from "@/components/ui";
import { EngineAndBoard } from "./engine-and-board";
import { ExactnessQuestion } from "./exactness-question";
import type { FormStart } from "./form-start";
import { ModelQuestion } from "./model-question";
import { FixedName, NameQuestion } from "./name-question";
import { OptionsDrawer } from "./options-drawer";
import { PinnedLine } from "./pinned-line";
import { ProblemSummary } from "./problem-summary";
import { RangeQuestion } from "./range-question";
import { ServingLine } from "./serving-line";
import { Summary } from "./summary";
import { useDeploy } from "./use-deploy";
import { useQuestionOfAddress } from "./use-question-of-address";

const stations = [
  { label: "model" },
  { label: "artifact" },
  { label: "board" },
  { label: "endpoint" },
] as const;

/** Four questions in any order, and what they will come to. */
export function DeployForm({ start, gatewayUrl }: { start: FormStart; gatewayUrl: string }) {
  const form = useDeploy(start);
  const { draft, choices, edit, submit } = form;
  const { revisionOf } = start;
  useQuestionOfAddress(form.reading.facts !== undefined);
  return (
    <>
      <PathLine here={0} done={1} stations={stations} />
      <h1 className={revisionOf ? "mb-1" : "mb-6"}>
        {revisionOf ? `New revision of ${revisionOf.endpoint.name}` : "Deploy a model"}
      </h1>
      {revisionOf ? (
        <p className="mb-6 max-w-[72ch] text-muted">
          Filled in as revision {revisionOf.from.ordinal} was asked for. Change what you like: it
          takes over once it is built, loaded and tested.
        </p>
      ) : null}
      <form
        noValidate
        className="grid items-start gap-x-14 gap-y-6 desk:grid-cols-[minmax(0,1fr)_320px]"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        onKeyDown={(event) => onFormKey(event, submit)}
      >
        <Questions form={form} start={start} gatewayUrl={gatewayUrl} />
        <Summary
          draft={draft}
          facts={form.reading.facts}
          engine={choices.engine}
          isFirmware={choices.isFirmware}
          engineRefusal={choices.engineRefusal}
          boardModel={choices.boardModel}
          sending={form.sending}
          revisionOf={revisionOf}
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
  return (
    <div>
      <ProblemSummary place={form.problems} complaints={form.complaints} onRetry={form.submit} />
      <ModelQuestion
        url={draft.url}
        complaint={complaints.model}
        reading={reading}
        onUrl={(url, at) => {
          edit({ url });
          if (at === "at once") form.readNow(url);
        }}
        onUpload={(stored, fileName) => {
          form.rememberFile(stored, fileName);
          edit({ url: stored });
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
      <ServingLine value={draft.serving} onChange={(serving) => edit({ serving })} />
      <OptionsDrawer
        engine={engine}
        values={draft.options}
        facts={facts}
        complaint={complaints.options}
        onChange={(options) => edit({ options })}
      />
    </div>
  );
}

/** Enter sends with Ctrl or Command alone, since a field left by Enter is rarely the last one. */
function onFormKey(event: KeyboardEvent, submit: () => void): void {
  if (event.key !== "Enter") return;
  if (event.metaKey || event.ctrlKey) {
    event.preventDefault();
    submit();
  } else if (event.target instanceof HTMLInputElement) event.preventDefault();
}
