"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { type KeyboardEvent, useEffect, useState } from "react";
import { ToneIcon } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import { rowAnswer } from "../answer/row-answer";
import { HistoryPanel } from "../history/history-panel";
import { useHistory } from "../history/use-history";
import { ManyPanel } from "../many/many-panel";
import { useMany } from "../many/use-many";
import type { Prediction, Refusal, Target } from "../request/predict";
import { AnswerSide } from "./answer-side";
import { CopyAs } from "./copy-as";
import { RequestSide, requestViews } from "./request-side";
import { SendBar } from "./send-bar";
import { SourcesBar } from "./sources-bar";
import { TimeBar } from "./time-bar";
import { usePermalink } from "./use-permalink";
import { type Asked, usePrediction } from "./use-prediction";
import { useRequestEditor } from "./use-request-editor";
import { willBeReady } from "./wake-up";

const SimulatePanel = dynamic(
  () => import("../simulate/simulate-panel").then((module) => module.SimulatePanel),
  { ssr: false },
);

/** One request and its answer side by side, where the time went, many of them, and what was sent before. */
export function TryPanel({ endpoint }: { endpoint: Endpoint }) {
  const t = useTranslations("predictions");
  const [view, setView] = useQueryState(
    "view",
    parseAsStringLiteral(requestViews).withDefault("form"),
  );
  const attempt = useAttempt(endpoint);
  const { editor, prediction, target, history, permalink, many } = attempt;
  const { answer, asked } = prediction;
  const isStale = answer !== null && asked !== null && asked.text !== editor.text;
  const sendByKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.defaultPrevented)
      return;
    event.preventDefault();
    attempt.send();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the controls inside
    <div onKeyDown={sendByKey}>
      {permalink.missing ? (
        <p
          role="status"
          className="mb-4 flex items-baseline gap-2 border-l-2 border-warn py-1 pl-4"
        >
          <ToneIcon tone="warn" />
          {t("notKept")}
        </p>
      ) : null}
      <div className="grid gap-x-8 gap-y-8 desk:grid-cols-[minmax(0,6fr)_minmax(0,5fr)]">
        <div className="min-w-0">
          <SourcesBar endpoint={endpoint} editor={editor} onJson={() => void setView("json")}>
            <RequestSide
              endpoint={endpoint}
              editor={editor}
              view={view}
              onView={(next) => void setView(next)}
              onSend={attempt.send}
            />
          </SourcesBar>
          <SendBar
            endpoint={endpoint}
            target={target}
            onTarget={attempt.setTarget}
            sending={prediction.sending}
            onSend={attempt.send}
            onStop={prediction.stop}
          />
          <CopyAs endpoint={endpoint} target={target} text={editor.text} />
        </div>
        <AnswerSide
          endpoint={endpoint}
          prediction={prediction}
          isStale={isStale}
          waitingSinceMs={attempt.waitingSinceMs}
          onGiveUp={attempt.giveUp}
        />
      </div>
      {answer?.ok ? <TimeBar totalNs={answer.totalNs} timing={answer.timing} /> : null}
      <ManyPanel
        endpointName={endpoint.name}
        classes={endpoint.labels}
        maxBatchSize={endpoint.maxBatchSize ?? 1}
        grid={editor.grid}
        labels={editor.labels}
        text={editor.text}
        many={many}
      />
      <HistoryPanel endpoint={endpoint.name} history={history} onOpen={permalink.open} />
      <SimulatePanel
        endpoint={endpoint}
        text={editor.text}
        answer={isStale ? null : answer}
        onAsk={attempt.send}
      />
    </div>
  );
}

/** Everything that a request goes through: written, sent or kept waiting, answered, remembered. */
function useAttempt(endpoint: Endpoint) {
  const editor = useRequestEditor(endpoint);
  const history = useHistory(endpoint.name);
  const [target, setTarget] = useState<Target>(() => ({
    name: endpoint.name,
    revision: null,
    // JSON has no half of a number: those travel as bytes.
    protocol: endpoint.inputs.some(({ datatype }) => /^(FP|BF)16$/.test(datatype))
      ? "binary"
      : "json",
  }));
  const many = useMany(target);
  const remember = (of: Asked, answer: Prediction | Refusal) => {
    const id = answer.requestId ?? crypto.randomUUID();
    history.add({
      id,
      at: Date.now(),
      revision: of.target.revision,
      protocol: of.target.protocol,
      text: of.text,
      labels: of.labels === null ? null : [...of.labels],
      status: answer.status,
      words: wordsOf(answer, endpoint.labels),
      totalNs: answer.ok ? answer.totalNs : null,
      pinned: false,
    });
    permalink.follow(id);
  };
  const prediction = usePrediction(remember);
  const permalink = usePermalink(endpoint, history, ({ text, labels, revision, protocol }) => {
    prediction.forget();
    editor.replace(text, { labels, source: null });
    setTarget({ name: endpoint.name, revision, protocol });
  });
  const [waitingSinceMs, setWaiting] = useState<number | null>(null);
  const sendNow = () => void prediction.send({ text: editor.text, labels: editor.labels, target });
  const isReady = endpoint.state === "ready" && !endpoint.paused;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what waits is sent once, when the endpoint is ready
  useEffect(() => {
    if (waitingSinceMs === null || willBeReady(endpoint.state)) return;
    setWaiting(null);
    sendNow();
  }, [endpoint.state, waitingSinceMs]);
  const send = () => {
    if (!isReady && !endpoint.paused && willBeReady(endpoint.state)) setWaiting(Date.now());
    else sendNow();
  };
  return {
    editor,
    history,
    target,
    setTarget,
    many,
    prediction,
    permalink,
    waitingSinceMs,
    send,
    giveUp: () => setWaiting(null),
  };
}

/** An answer in a few words, for a list. */
function wordsOf(answer: Prediction | Refusal, labels: readonly string[] | undefined): string {
  if (!answer.ok) return (answer.reason ?? answer.message ?? "").slice(0, 120);
  const { words, score } = rowAnswer(answer.outputs, labels, 0);
  return score === null ? words : `${words}, ${score}`;
}
