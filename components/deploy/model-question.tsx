"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { inspectionQuery, ModelFacts, samples, uploadModel } from "@/components/models";
import { CopyButton, formatBytes, StateMark, ToneIcon } from "@/components/ui";
import { isAppError, toAppError } from "@/lib/common/errors";
import { FileButton } from "./file-button";
import { Question } from "./question";
import type { Reading } from "./use-reading";
import { type UploadState, useUpload } from "./use-upload";

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
  const client = useQueryClient();
  const upload = useUpload(uploadModel, (model, fileName) => {
    // What was read of it is kept with its address.
    client.setQueryData(inspectionQuery(model.url).queryKey, { facts: model, tookMs: 0 });
    onUpload(model.url, fileName);
  });
  const take = (file: File) => void upload.start(file);
  return (
    <Question number={1} title="Which model?" field="model" labelFor="url" complaint={complaint}>
      <DropArea onDrop={take}>
        <div className="flex flex-wrap gap-2">
          <AddressField
            url={url}
            isWrong={complaint !== undefined || reading.error !== null}
            describedBy={complaint ? "error-model reading" : "reading"}
            onUrl={onUrl}
            onBlur={onBlur}
          />
          <FileButton label="Model file" onChoose={take}>
            Choose a file
          </FileButton>
        </div>
        <div id="reading" aria-live="polite" className="mt-2 min-h-6">
          {upload.file ? (
            <Upload file={upload.file} onStop={upload.stop} />
          ) : (
            <WhatWasRead
              reading={reading}
              onPick={(sample) => onUrl(sample, "at once")}
              onRetry={onRetry}
            />
          )}
        </div>
      </DropArea>
    </Question>
  );
}

/** Takes a file that is dropped on it: a short way for the button inside. */
function DropArea({ onDrop, children }: { onDrop: (file: File) => void; children: ReactNode }) {
  const [over, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a short way for the button inside
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
        if (dropped) onDrop(dropped);
      }}
    >
      {children}
    </div>
  );
}

function AddressField({
  url,
  isWrong,
  describedBy,
  onUrl,
  onBlur,
}: {
  url: string;
  isWrong: boolean;
  describedBy: string;
  onUrl: (url: string, at: "typed" | "at once") => void;
  onBlur: () => void;
}) {
  return (
    <input
      id="url"
      className="field min-w-0 flex-1 basis-64 font-mono text-dense"
      placeholder="s3://bucket/model.onnx or https://…"
      spellCheck={false}
      autoComplete="off"
      inputMode="url"
      value={url}
      aria-invalid={isWrong}
      aria-describedby={describedBy}
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
  );
}

function Upload({ file, onStop }: { file: UploadState; onStop: () => void }) {
  if (file.state === "failed")
    return <Refusal error={file.error} title={`${file.name} was not taken`} />;
  return <UploadProgress {...file} onStop={onStop} />;
}

/** What could be read from the address; samples where there is none yet. */
function WhatWasRead({
  reading,
  onPick,
  onRetry,
}: {
  reading: Reading;
  onPick: (url: string) => void;
  onRetry: () => void;
}) {
  if (reading.facts) return <ModelFacts facts={reading.facts} tookMs={reading.tookMs} />;
  if (reading.error)
    return <Refusal error={reading.error} title="This cannot be read" onRetry={onRetry} />;
  if (reading.pending)
    return <StateMark appearance={{ tone: "run", label: "Reading the model", why: "" }} />;
  return <Samples onPick={onPick} />;
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
