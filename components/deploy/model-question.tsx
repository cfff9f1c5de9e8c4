"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { inspectionQuery, ModelFacts, samples, uploadModel } from "@/components/models";
import { CopyButton, formatBytes, StateMark, ToneIcon } from "@/components/ui";
import { isAppError, toAppError } from "@/lib/common/errors";
import { Question } from "./question";
import type { Reading } from "./use-reading";

/** Question 1: an address, a file, or a sample; and what could be read from it. */
export function ModelQuestion({
  url,
  reading,
  complaint,
  onUrl,
  onUpload,
  onBlur,
  onRetry,
}: {
  url: string;
  reading: Reading;
  complaint: string | undefined;
  onUrl: (url: string, at: "typed" | "at once") => void;
  /** A file of this name is stored at that address. */
  onUpload: (url: string, fileName: string) => void;
  onBlur: () => void;
  onRetry: () => void;
}) {
  const upload = useUpload(onUpload);
  const picker = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const { file } = upload;
  return (
    <Question number={1} title="Which model?" field="model" labelFor="url" complaint={complaint}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a short way for the button inside */}
      <div
        className={`-m-2 rounded-control p-2 outline-2 outline-offset-0 outline-dashed ${over ? "bg-wash outline-accent" : "outline-transparent"}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          const dropped = event.dataTransfer.files[0];
          if (dropped) void upload.start(dropped);
        }}
      >
        <div className="flex flex-wrap gap-2">
          <input
            id="url"
            className="field min-w-0 flex-1 basis-64 font-mono text-dense"
            placeholder="s3://bucket/model.onnx or https://…"
            spellCheck={false}
            autoComplete="off"
            inputMode="url"
            value={url}
            aria-invalid={complaint !== undefined || reading.error !== null}
            aria-describedby={complaint ? "error-model reading" : "reading"}
            onChange={(event) => onUrl(event.target.value, "typed")}
            onPaste={() => {
              // The pasted text is in the field only after this event.
              setTimeout(() => {
                const field = document.getElementById("url");
                if (field instanceof HTMLInputElement) onUrl(field.value, "at once");
              });
            }}
            onBlur={onBlur}
          />
          <button type="button" className="btn" onClick={() => picker.current?.click()}>
            Choose a file
          </button>
          <input
            ref={picker}
            type="file"
            className="sr-only"
            aria-label="Model file"
            tabIndex={-1}
            onChange={(event) => {
              const chosen = event.target.files?.[0];
              if (chosen) void upload.start(chosen);
              event.target.value = "";
            }}
          />
        </div>
        <div id="reading" aria-live="polite" className="mt-2 min-h-6">
          {file?.state === "sending" ? (
            <UploadProgress
              name={file.name}
              sizeBytes={file.sizeBytes}
              share={file.share}
              onStop={upload.stop}
            />
          ) : file?.state === "failed" ? (
            <Refusal error={file.error} title={`${file.name} was not taken`} />
          ) : reading.facts ? (
            <ModelFacts facts={reading.facts} tookMs={reading.tookMs} />
          ) : reading.error ? (
            <Refusal error={reading.error} title="This cannot be read" onRetry={onRetry} />
          ) : reading.pending ? (
            <StateMark appearance={{ tone: "run", label: "Reading the model", why: "" }} />
          ) : (
            <Samples onPick={(sample) => onUrl(sample, "at once")} />
          )}
        </div>
      </div>
    </Question>
  );
}

function Samples({ onPick }: { onPick: (url: string) => void }) {
  return (
    <div className="text-dense">
      <p className="text-muted">Drop a file here (up to 512 MiB), or start with a sample:</p>
      <ul className="mt-1 flex flex-wrap gap-x-6 gap-y-1">
        {samples.map((sample) => (
          <li key={sample.id} className="py-0.5">
            <button
              type="button"
              className="min-h-6 text-accent hover:underline"
              onClick={() => onPick(sample.url)}
            >
              {sample.id}
            </button>{" "}
            <span className="text-muted">{sample.text}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function UploadProgress({
  name,
  sizeBytes,
  share,
  onStop,
}: {
  name: string;
  sizeBytes: number;
  share: number;
  onStop: () => void;
}) {
  return (
    <div className="flex items-center gap-3 text-dense">
      <span className="min-w-0 truncate">{name}</span>
      <progress className="sr-only" value={share} max={1} aria-label={`Sending ${name}`} />
      <div aria-hidden="true" className="bar flex-1">
        <i className="bar-fill bg-accent!" style={{ width: `${share * 100}%` }} />
      </div>
      <span className="whitespace-nowrap text-muted">
        {share < 1
          ? `${formatBytes(sizeBytes * share)} of ${formatBytes(sizeBytes)}`
          : "Sent, being read"}
      </span>
      <button type="button" className="btn btn-quiet btn-dense" onClick={onStop}>
        Stop
      </button>
    </div>
  );
}

function Refusal({
  error,
  title,
  onRetry,
}: {
  error: unknown;
  title: string;
  onRetry?: () => void;
}) {
  const { message, hint, reason } = isAppError(error) ? error : toAppError(error);
  return (
    <div className="text-dense">
      <p className="flex items-baseline gap-2">
        <ToneIcon tone="bad" />
        <span className="min-w-0 break-words">
          <b>{title}.</b> {message} {hint ? <span className="text-muted">{hint}</span> : null}
        </span>
      </p>
      <p className="mt-1 flex items-center gap-2 pl-5">
        {onRetry ? (
          <button type="button" className="min-h-6 text-accent hover:underline" onClick={onRetry}>
            Try again
          </button>
        ) : null}
        <CopyButton text={`${title}: ${message} ${hint ?? ""} (${reason})`}>
          Copy details
        </CopyButton>
        <code className="text-muted">{reason}</code>
      </p>
    </div>
  );
}

type UploadState =
  | {
      readonly state: "sending";
      readonly name: string;
      readonly sizeBytes: number;
      readonly share: number;
    }
  | { readonly state: "failed"; readonly name: string; readonly error: unknown };

/** Sends a file and hands on the address under which it was stored; what was read of it is kept with that address. */
function useUpload(onStored: (url: string, fileName: string) => void) {
  const client = useQueryClient();
  const [file, setFile] = useState<UploadState | null>(null);
  const abort = useRef<AbortController | null>(null);
  const start = async (chosen: File) => {
    abort.current?.abort();
    const controller = new AbortController();
    abort.current = controller;
    const { name, size } = chosen;
    const show = (share: number) => setFile({ state: "sending", name, sizeBytes: size, share });
    show(0);
    try {
      const model = await uploadModel(chosen, { onProgress: show, signal: controller.signal });
      client.setQueryData(inspectionQuery(model.url).queryKey, { facts: model, tookMs: 0 });
      setFile(null);
      onStored(model.url, name);
    } catch (error) {
      if (!controller.signal.aborted) setFile({ state: "failed", name, error });
    }
  };
  const stop = () => {
    abort.current?.abort();
    setFile(null);
  };
  return { file, start, stop };
}
