"use client";

import { useQueries, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { z } from "zod";
import { boardModelsQuery, boardsQuery, useBoardFacts } from "@/components/boards";
import { deploy, endpointsQuery } from "@/components/endpoints";
import { enginesQuery } from "@/components/engines";
import { inspectionQuery, samples } from "@/components/models";
import { ErrorNote, modelTitle, PathLine, Skeleton } from "@/components/ui";
import type { Inspection } from "@/lib/common/contract";
import { type AppError, toAppError } from "@/lib/common/errors";
import { BoardQuestion } from "./board-question";
import { boardChoices, boardFor, engineChoices, engineFor } from "./choices";
import {
  type Complaints,
  complaintsAbout,
  type Draft,
  type FieldName,
  fieldOfError,
  suggestName,
  toNewEndpoint,
} from "./draft";
import { EngineQuestion } from "./engine-question";
import { ExactnessQuestion } from "./exactness-question";
import { inputCount } from "./input-count";
import { ModelQuestion } from "./model-question";
import { NameQuestion } from "./name-question";
import { OptionsDrawer } from "./options-drawer";
import { ServingLine } from "./serving-line";
import { Summary } from "./summary";
import { useDraft } from "./use-draft";

export interface DeployStart {
  readonly sample?: string | undefined;
  readonly model?: string | undefined;
  readonly engine?: string | undefined;
  readonly board?: string | undefined;
  /** JSON of the engine's options. */
  readonly options?: string | undefined;
}

const typingPauseMs = 350;

/** Four questions in any order, and what they will come to. */
export function DeployForm({ start, gatewayUrl }: { start: DeployStart; gatewayUrl: string }) {
  const [draft, change] = useDraft(startDraft(start));
  const [readUrl, setReadUrl] = useState(draft.url.trim());
  /** A stored file's address has its digest for a name; people know it by another. */
  const [uploaded, setUploaded] = useState({ url: "", fileName: "" });
  const [touched, setTouched] = useState<ReadonlySet<FieldName>>(new Set());
  const [refused, setRefused] = useState<AppError | null>(null);
  const [sending, setSending] = useState(false);
  const key = useRef({ body: "", key: "" });
  const summary = useRef<HTMLDivElement>(null);
  const router = useRouter();

  const [engines, models, boards, endpoints] = useQueries({
    queries: [enginesQuery(), boardModelsQuery(), boardsQuery(), endpointsQuery()],
  });
  const inspection = useQuery(inspectionQuery(readUrl));
  const facts = readUrl === draft.url.trim() ? inspection.data?.facts : undefined;
  const taken = (endpoints.data?.items ?? []).map(({ name }) => name);
  const boardFacts = useBoardFacts(draft.board?.model ?? "");
  const engine = engines.data?.items.find(({ id }) => id === draft.engine);

  const engineList = engineChoices({
    engines: engines.data?.items ?? [],
    model: facts,
    board: draft.board,
    boardName: boardFacts.name,
  });
  const boardList = boardChoices({
    models: models.data?.items ?? [],
    boards: boards.data?.items ?? [],
    engine,
  });

  // An address is read once the typing pauses; a pasted one at once.
  useEffect(() => {
    const timer = setTimeout(() => setReadUrl(draft.url.trim()), typingPauseMs);
    return () => clearTimeout(timer);
  }, [draft.url]);

  // A name is suggested until somebody types one.
  const url = draft.url.trim();
  const title = uploaded.url === url ? uploaded.fileName : modelTitle(url);
  const suggestion = url === "" ? "" : suggestName(title, taken);
  const name = draft.named ? draft.name : suggestion;
  const whole: Draft = { ...draft, name };

  const engineRefusal = engineList.find((each) => each.engine.id === draft.engine)?.refusal ?? null;
  const found: Complaints = {
    ...(engineRefusal === null ? {} : { engine: `${draft.engine}: ${engineRefusal}` }),
    ...complaintsAbout(whole, taken),
    ...complaintAboutRows(whole, facts),
  };
  const refusedField = fieldOfError(refused?.field);
  const complaints: Complaints = {
    ...Object.fromEntries(
      Object.entries(found).filter(([field]) =>
        field === "name" && draft.named && name !== "" ? true : touched.has(field as FieldName),
      ),
    ),
    ...(refused && refusedField ? { [refusedField]: sentenceOf(refused) } : {}),
  };

  const touch = (...fields: FieldName[]) => setTouched((was) => new Set([...was, ...fields]));
  const edit = (part: Partial<Draft>) => {
    setRefused(null);
    change(part);
  };

  const submit = async () => {
    touch("model", "engine", "board", "name", "options");
    setRefused(null);
    if (Object.keys(found).length > 0) {
      setTimeout(() => summary.current?.focus());
      return;
    }
    if (sending) return;
    setSending(true);
    try {
      const body = toNewEndpoint(whole);
      const text = JSON.stringify(body);
      if (key.current.body !== text) key.current = { body: text, key: crypto.randomUUID() };
      const { buildId } = await deploy(body, key.current.key);
      change(null);
      router.push(`/builds/${buildId}`);
    } catch (error) {
      setRefused(toAppError(error));
      setSending(false);
      setTimeout(() => summary.current?.focus());
    }
  };

  const problems = Object.entries(complaints);
  return (
    <>
      <PathLine
        here={0}
        done={1}
        stations={[
          { label: "model" },
          { label: "artifact" },
          { label: "board" },
          { label: "endpoint" },
        ]}
      />
      <h1 className="mb-6">Deploy a model</h1>
      <form
        noValidate
        className="grid items-start gap-x-14 gap-y-6 desk:grid-cols-[minmax(0,1fr)_320px]"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          if (event.metaKey || event.ctrlKey) {
            event.preventDefault();
            void submit();
          } else if (event.target instanceof HTMLInputElement) event.preventDefault();
        }}
      >
        <div>
          <div ref={summary} tabIndex={-1} className="outline-none">
            {problems.length > 0 && (refused || touched.size >= 5) ? (
              <div role="alert" className="mb-6 border-l-2 border-bad py-1 pl-4 text-dense">
                <p className="font-strong">
                  {problems.length === 1
                    ? "One answer needs another look."
                    : `${problems.length} answers need another look.`}
                </p>
                <ul>
                  {problems.map(([field, text]) => (
                    <li key={field}>
                      <a href={`#question-${field}`}>{text}</a>
                    </li>
                  ))}
                </ul>
              </div>
            ) : null}
            {refused && !refusedField ? (
              <div className="mb-6">
                <ErrorNote
                  title="Not deployed. What you filled in is still here."
                  error={refused}
                  onRetry={() => void submit()}
                />
              </div>
            ) : null}
          </div>
          <ModelQuestion
            url={draft.url}
            complaint={complaints.model}
            reading={{
              facts,
              tookMs: inspection.data?.tookMs || null,
              error: readUrl === draft.url.trim() ? inspection.error : null,
              pending: draft.url.trim() !== "" && !inspection.isError,
            }}
            onUrl={(url, at) => {
              edit({ url });
              if (at === "at once") setReadUrl(url.trim());
            }}
            onUpload={(stored, fileName) => {
              setUploaded({ url: stored, fileName });
              edit({ url: stored });
              setReadUrl(stored);
            }}
            onBlur={() => setReadUrl(draft.url.trim())}
            onRetry={() => void inspection.refetch()}
          />
          {engines.isError || models.isError ? (
            <ErrorNote
              title="The engines and boards cannot be read."
              error={engines.error ?? models.error}
              onRetry={() => {
                void engines.refetch();
                void models.refetch();
              }}
            />
          ) : engines.data && models.data ? (
            <>
              <EngineQuestion
                choices={engineList}
                value={draft.engine}
                complaint={complaints.engine}
                onChoose={(id) => {
                  const chosen = engines.data.items.find((each) => each.id === id);
                  edit({
                    engine: id,
                    options: {},
                    ...(chosen ? { board: boardFor(chosen, draft.board, boardList) } : {}),
                  });
                }}
              />
              <BoardQuestion
                choices={boardList}
                catalogue={models.data.items}
                value={draft.board}
                complaint={complaints.board}
                onChoose={(board) => {
                  const id = engineFor(board, draft.engine, engineList);
                  edit({ board, engine: id, ...(id === draft.engine ? {} : { options: {} }) });
                }}
              />
            </>
          ) : (
            <Skeleton lines={6} height={36} />
          )}
          <NameQuestion
            name={name}
            complaint={complaints.name}
            baseUrl={gatewayUrl}
            onName={(text) => edit({ name: text, named: text !== "" })}
            onBlur={() => touch("name")}
          />
          {engine?.kind === "fpga" ? (
            <ExactnessQuestion
              draft={draft}
              facts={facts}
              complaint={complaints.calibration}
              onEdit={edit}
            />
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
        <Summary
          draft={whole}
          facts={facts}
          engine={engine}
          engineRefusal={engineRefusal}
          boardModel={models.data?.items.find(({ id }) => id === draft.board?.model)}
          sending={sending}
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

const sentenceOf = ({ message, hint }: AppError) => (hint ? `${message} ${hint}` : message);

/** Rows that were understood for another model. */
function complaintAboutRows({ calibration }: Draft, facts: Inspection | undefined): Complaints {
  const inputs = facts ? inputCount(facts) : null;
  if (!calibration || !facts || inputs === calibration.inputs) return {};
  return {
    calibration: `The rows of ${calibration.name} have ${calibration.inputs} inputs, this model takes ${inputs ?? "another kind"}. Remove them, or add others.`,
  };
}

/** Options as an address carries them; what cannot be read is left out. */
function parseOptions(text: string): Draft["options"] {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch {
    return {};
  }
}

/** What the address of the page asks for: `?sample=digits-mlp&engine=onnx`. */
function startDraft({ sample, model, engine, board, options }: DeployStart): Partial<Draft> {
  const url = model ?? samples.find(({ id }) => id === sample)?.url;
  return {
    ...(url === undefined ? {} : { url }),
    ...(engine === undefined ? {} : { engine }),
    ...(options === undefined ? {} : { options: parseOptions(options) }),
    ...(engine === "onnx" ? { board: { model: "cpu", kind: "cpu" } as const } : {}),
    ...(board === undefined
      ? {}
      : { board: { model: board, kind: board === "cpu" ? "cpu" : "simulated" } as const }),
  };
}
