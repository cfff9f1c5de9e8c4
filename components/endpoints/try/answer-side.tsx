"use client";

import { useTranslations } from "next-intl";
import { CopyButton, StateMark, ToneIcon } from "@/components/ui";
import type { Endpoint } from "@/lib/common/contract";
import type { Prediction, Refusal } from "../request/predict";
import { ClippedNote } from "./clipped-note";
import { Result } from "./result";
import type { PredictionState } from "./use-prediction";
import { PausedNote, WakeUp } from "./wake-up";

/** The answer to the last request: what it says, or why there is none; and whether it still answers what is written. */
export function AnswerSide({
  endpoint,
  prediction: { answer, asked, failure, sending },
  isStale,
  waitingSinceMs,
  onGiveUp,
}: {
  endpoint: Endpoint;
  prediction: PredictionState;
  isStale: boolean;
  /** Since when a request waits for the endpoint; null: none does. */
  waitingSinceMs: number | null;
  onGiveUp: () => void;
}) {
  const t = useTranslations("predictions");
  const isEmpty = !answer && failure === null && waitingSinceMs === null;
  return (
    <section aria-label={t("answer")} aria-busy={sending} className="min-w-0">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-body">{t("answer")}</h2>
        {answer ? <AnswerHead answer={answer} /> : null}
      </div>
      {isStale ? (
        <p
          role="status"
          className="mb-3 flex items-baseline gap-2 border-l-2 border-warn py-1 pl-4 text-dense"
        >
          <ToneIcon tone="warn" />
          {t("stale")}
        </p>
      ) : null}
      {endpoint.paused ? <PausedNote name={endpoint.name} /> : null}
      {waitingSinceMs === null ? null : (
        <WakeUp endpoint={endpoint} sinceMs={waitingSinceMs} onGiveUp={onGiveUp} />
      )}
      {failure === null ? null : <Failed message={failure} />}
      {answer && !answer.ok ? <Refused refusal={answer} /> : null}
      {answer?.ok && asked ? (
        <div className={isStale ? "border-l-2 border-warn pl-4" : ""}>
          <ClippedNote clipped={answer.timing.clippedInputs ?? 0} request={asked.text} />
          <Result key={answer.requestId} endpoint={endpoint} prediction={answer} asked={asked} />
        </div>
      ) : null}
      {isEmpty && !endpoint.paused ? (
        <p className="max-w-[44ch] text-muted">
          {endpoint.state === "ready"
            ? t(endpoint.boardKind === "cpu" ? "emptyCpu" : "emptyBoard")
            : t("emptyNotReady")}
        </p>
      ) : null}
    </section>
  );
}

function AnswerHead({ answer }: { answer: Prediction | Refusal }) {
  const t = useTranslations("predictions");
  return (
    <span className="flex flex-wrap items-center gap-x-2 text-dense">
      <StateMark
        appearance={{ tone: answer.ok ? "ok" : "bad", label: String(answer.status), why: "" }}
      />
      {answer.ok && answer.revision !== null ? (
        <span className="text-muted">{t("revisionShort", { revision: answer.revision })}</span>
      ) : null}
      {answer.requestId ? (
        <>
          <code className="text-muted" title={answer.requestId}>
            {answer.requestId.slice(0, 13)}
          </code>
          <CopyButton text={answer.requestId} label={t("copyId")}>
            {t("copyIdShort")}
          </CopyButton>
        </>
      ) : null}
    </span>
  );
}

function Refused({ refusal: { message, hint, reason, status, raw } }: { refusal: Refusal }) {
  const t = useTranslations("predictions");
  const words = message ?? (status < 400 ? t("notV2") : t("statusOnly", { status }));
  return (
    <>
      <Failed message={words} hint={hint} reason={reason} />
      {raw === "" ? null : (
        <details className="mt-2 text-dense">
          <summary className="min-h-6 cursor-pointer text-muted">{t("rawAnswer")}</summary>
          <pre className="well max-h-60 overflow-hidden p-3 break-all whitespace-pre-wrap">
            {raw.slice(0, 1_000)}
          </pre>
        </details>
      )}
    </>
  );
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
