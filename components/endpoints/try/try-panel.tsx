"use client";

import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import { CopyButton, StateMark, ToneIcon } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import { type Prediction, predict, type Refusal } from "../request/predict";
import { formatRequest, sampleRequest, shuffledRequest } from "../request/sample-request";
import { curlOf } from "../request/snippets";
import { rememberCycles } from "../seen-cycles";
import type { RequestCheck } from "./check-request";
import { ClippedNote } from "./clipped-note";
import { Result } from "./result";
import { TimeBar } from "./time-bar";

const JsonEditor = dynamic(() => import("./json-editor").then((module) => module.JsonEditor), {
  ssr: false,
  loading: () => <div className="well h-[min(42vh,372px)] min-h-64" />,
});

const SimulatePanel = dynamic(
  () => import("../simulate/simulate-panel").then((module) => module.SimulatePanel),
  { ssr: false },
);

/** One request and its answer side by side, and where the time went. */
export function TryPanel({ endpoint }: { endpoint: Endpoint }) {
  const [text, setText] = useState(() => formatRequest(sampleRequest(endpoint)));
  const prediction = usePrediction(endpoint.name);
  const { answer, asked } = prediction;
  const send = () => void prediction.send(text);
  return (
    <>
      <div className="grid gap-x-8 gap-y-6 tablet:grid-cols-2">
        <RequestSide
          endpoint={endpoint}
          text={text}
          onText={setText}
          sending={prediction.sending}
          onSend={send}
          onStop={prediction.stop}
        />
        <AnswerSide endpoint={endpoint} prediction={prediction} />
      </div>
      {answer?.ok ? <TimeBar totalNs={answer.totalNs} timing={answer.timing} /> : null}
      <SimulatePanel
        endpoint={endpoint}
        text={text}
        answer={asked === text ? answer : null}
        onAsk={send}
      />
    </>
  );
}

/** Sends requests to an endpoint, one at a time: a new one ends the one before. */
function usePrediction(endpointName: string) {
  const [answer, setAnswer] = useState<Prediction | Refusal | null>(null);
  const [asked, setAsked] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const abort = useRef<AbortController | null>(null);

  const send = async (text: string) => {
    abort.current?.abort();
    const controller = new AbortController();
    abort.current = controller;
    setSending(true);
    setFailure(null);
    try {
      const next = await predict(endpointName, text, controller.signal);
      setAnswer(next);
      setAsked(text);
      if (next.ok && next.timing.cycles !== undefined) rememberCycles();
    } catch (error) {
      if (controller.signal.aborted) return;
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      if (abort.current === controller) setSending(false);
    }
  };
  const stop = () => {
    abort.current?.abort();
    setSending(false);
  };
  return {
    answer,
    /** The text that the answer is to. */
    asked,
    /** Why there was none. */
    failure,
    sending,
    send,
    stop,
  };
}

function RequestSide({
  endpoint,
  text,
  onText,
  sending,
  onSend,
  onStop,
}: {
  endpoint: Endpoint;
  text: string;
  onText: (text: string) => void;
  sending: boolean;
  onSend: () => void;
  onStop: () => void;
}) {
  const [check, setCheck] = useState<RequestCheck>({ problems: [], rows: null });
  const [problem] = check.problems;
  const takeAnother = () =>
    onText(formatRequest(shuffledRequest(sampleRequest(endpoint), Math.random)));
  return (
    <section aria-label="Request" className="min-w-0">
      <div className="mb-3 flex items-baseline justify-between gap-4">
        <h2 className="text-body">Request</h2>
        <span
          id="request-state"
          role="status"
          className={`min-w-0 truncate text-dense ${problem ? "text-bad" : "text-muted"}`}
          title={problem?.message}
        >
          {problem
            ? problem.message
            : `valid${check.rows === null ? "" : ` · ${check.rows} ${check.rows === 1 ? "row" : "rows"}`}`}
        </span>
      </div>
      <JsonEditor
        value={text}
        inputs={endpoint.inputs}
        onChange={onText}
        onCheck={setCheck}
        onSend={onSend}
      />
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {sending ? (
          <button type="button" className="btn" onClick={onStop}>
            Stop
          </button>
        ) : (
          <button type="button" className="btn btn-primary" onClick={onSend}>
            Send <kbd>Ctrl ↵</kbd>
          </button>
        )}
        <button type="button" className="btn" onClick={takeAnother}>
          Another sample
        </button>
        <span className="flex-1" />
        <CopyButton text={() => curlOf(endpoint.url, compact(text))}>Copy as curl</CopyButton>
      </div>
    </section>
  );
}

function AnswerSide({
  endpoint,
  prediction: { answer, asked, failure, sending },
}: {
  endpoint: Endpoint;
  prediction: ReturnType<typeof usePrediction>;
}) {
  return (
    <section aria-label="Answer" aria-busy={sending} className="min-w-0">
      <div className="mb-3 flex items-baseline justify-between gap-4">
        <h2 className="text-body">Answer</h2>
        {answer ? (
          <span className="text-dense">
            <StateMark
              appearance={{
                tone: answer.ok ? "ok" : "bad",
                label: String(answer.status),
                why: "",
              }}
            />
            {answer.requestId ? (
              <code className="ml-2 text-muted">{answer.requestId.slice(0, 12)}</code>
            ) : null}
          </span>
        ) : null}
      </div>
      {failure ? <Failed message={failure} /> : null}
      {answer && !answer.ok ? (
        <Failed message={answer.message} hint={answer.hint} reason={answer.reason} />
      ) : null}
      {answer?.ok ? (
        <div className={sending ? "opacity-60" : ""}>
          <ClippedNote clipped={answer.timing.clippedInputs ?? 0} request={asked} />
          <Result prediction={answer} labels={endpoint.labels} />
        </div>
      ) : null}
      {!answer && !failure ? (
        <p className="max-w-[44ch] text-muted">
          {endpoint.state === "ready"
            ? `Send the sample as it is, or change it first. The answer appears here, with its time split ${endpoint.boardKind === "cpu" ? "into its parts" : "down to cycles"}.`
            : "The endpoint is not ready yet. A request sent now is answered with the reason."}
        </p>
      ) : null}
    </section>
  );
}

/** The request on one line, for a shell; what is no JSON stays as it is. */
function compact(text: string): string {
  return text.replace(/\s*\n\s*/g, " ").trim();
}

function Failed({
  message,
  hint = null,
  reason = null,
}: {
  message: string;
  hint?: string | null;
  reason?: string | null;
}) {
  return (
    <div role="alert" className="border-l-2 border-bad py-1 pl-4">
      <p className="flex items-baseline gap-2">
        <ToneIcon tone="bad" />
        <span className="min-w-0 break-words">{message}</span>
      </p>
      {hint ? <p className="mt-1 text-muted">{hint}</p> : null}
      {reason ? <code className="text-muted">{reason}</code> : null}
    </div>
  );
}
