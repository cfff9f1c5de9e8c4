"use client";

import { useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { type ReactNode, useRef, useState } from "react";
import { inspectionQuery, ModelFacts, samples, uploadModel } from "@/components/models";
import {
  ErrorLink,
  formatBytes,
  RetryButton,
  StateMark,
  ToneIcon,
  useTypedEarly,
} from "@/components/ui";
import { toAppError } from "@/lib/common/errors";
import { FileButton } from "./file-button";
import { Question } from "./question";
import type { Reading } from "./use-reading";
import { type UploadState, useUpload } from "./use-upload";

/** Loaded once the question is there: most addresses need no connection. */
const ConnectionChoice = dynamic(
  async () => (await import("@/components/connections")).ConnectionChoice,
  { ssr: false },
);

interface ModelQuestionProps {
  readonly url: string;
  /** What the file at the address is called, if it was uploaded and that is known. */
  readonly fileName: string | null;
  readonly reading: Reading;
  readonly complaint: string | undefined;
  readonly onUrl: (url: string, at: "typed" | "at once") => void;
  /** A file of this name is stored at that address. */
  readonly onUpload: (url: string, fileName: string) => void;
  readonly onBlur: () => void;
  readonly onRetry: () => void;
}

/** Question 1: an address, a file, or a sample; and what could be read from it. */
export function ModelQuestion({
  url,
  fileName,
  reading,
  complaint,
  onUrl,
  onUpload,
  onBlur,
  onRetry,
}: ModelQuestionProps) {
  const t = useTranslations("deploy.model");
  const client = useQueryClient();
  const found = useRef<HTMLDivElement>(null);
  const upload = useUpload(uploadModel, (model, name) => {
    // What was read of it is kept with its address.
    client.setQueryData(inspectionQuery(model.url).queryKey, { facts: model, tookMs: 0 });
    onUpload(model.url, name);
    found.current?.focus();
  });
  const take = (file: File) => void upload.start(file);
  return (
    <Question number={1} title={t("title")} field="model" labelFor="url" complaint={complaint}>
      <DropArea onDrop={take}>
        <div className="flex flex-wrap gap-2">
          <AddressField
            url={url}
            fileName={fileName}
            isWrong={complaint !== undefined || reading.error !== null}
            describedBy={complaint ? "error-model reading" : "reading"}
            onUrl={onUrl}
            onBlur={onBlur}
          />
          <FileButton label={t("file")} onChoose={take}>
            {t("chooseFile")}
          </FileButton>
        </div>
        {fileName === null ? (
          <ConnectionChoice
            address={url}
            field="url"
            onChoose={(prefix) => onUrl(prefix, "typed")}
          />
        ) : null}
        <div
          ref={found}
          id="reading"
          tabIndex={-1}
          aria-live="polite"
          className="mt-2 min-h-6 outline-none"
        >
          {upload.file ? (
            <Upload file={upload.file} onStop={upload.stop} />
          ) : (
            <WhatWasRead
              reading={reading}
              onPick={(sample) => {
                onUrl(sample, "at once");
                // The button that was pressed is gone with the samples.
                found.current?.focus();
              }}
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

/** The address; of an uploaded file its name, since its address is a digest. Typing over the name begins a new address. */
function AddressField({
  url,
  fileName,
  isWrong,
  describedBy,
  onUrl,
  onBlur,
}: Pick<ModelQuestionProps, "url" | "fileName" | "onUrl" | "onBlur"> & {
  isWrong: boolean;
  describedBy: string;
}) {
  const t = useTranslations("deploy.model");
  const shown = fileName === null ? url : t("stored", { name: fileName });
  const field = useTypedEarly(shown, (typed) => onUrl(typed, "typed"));
  return (
    <input
      ref={field}
      id="url"
      className={`field min-w-0 flex-1 basis-64 text-dense ${fileName === null ? "font-mono" : ""}`}
      placeholder={t("placeholder")}
      title={fileName === null ? undefined : url}
      spellCheck={false}
      autoComplete="off"
      inputMode="url"
      value={shown}
      aria-invalid={isWrong}
      aria-describedby={describedBy}
      onFocus={(event) => {
        if (fileName !== null) event.target.select();
      }}
      onChange={(event) => {
        const isPart = fileName !== null && event.target.value.includes(fileName);
        onUrl(isPart ? "" : event.target.value, "typed");
      }}
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
  const t = useTranslations("deploy.model");
  if (file.state === "failed")
    return <Refusal error={file.error} title={t("notTaken", { name: file.name })} />;
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
  const t = useTranslations("deploy.model");
  if (reading.facts) return <ModelFacts facts={reading.facts} tookMs={reading.tookMs} />;
  if (reading.error)
    return <Refusal error={reading.error} title={t("unreadable")} onRetry={onRetry} />;
  if (reading.pending)
    return <StateMark appearance={{ tone: "run", label: t("reading"), why: "" }} />;
  return <Samples onPick={onPick} />;
}

function Samples({ onPick }: { onPick: (url: string) => void }) {
  const t = useTranslations("deploy");
  return (
    <div className="text-dense">
      <p className="text-muted">{t("model.drop")}</p>
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
            <span className="text-muted">{t(`samples.${sample.key}`)}</span>
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
  const t = useTranslations("deploy.model");
  return (
    <div className="flex items-center gap-3 text-dense">
      <span className="min-w-0 truncate">{name}</span>
      <progress className="sr-only" value={share} max={1} aria-label={t("sending", { name })} />
      <div aria-hidden="true" className="bar flex-1">
        <i className="bar-fill bg-accent!" style={{ width: `${share * 100}%` }} />
      </div>
      <span className="whitespace-nowrap text-muted">
        {share < 1
          ? t("sent", { sent: formatBytes(sizeBytes * share), size: formatBytes(sizeBytes) })
          : t("beingRead")}
      </span>
      <button type="button" className="btn btn-quiet btn-dense" onClick={onStop}>
        {t("stop")}
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
  const known = toAppError(error);
  const { message, hint } = known;
  return (
    <div className="text-dense">
      <p className="flex items-baseline gap-2">
        <ToneIcon tone="bad" />
        <span className="min-w-0 break-words">
          <b>{title}.</b> {message} {hint ? <span className="text-muted">{hint}</span> : null}
        </span>
      </p>
      <p className="mt-1 flex flex-wrap items-center gap-2 pl-5">
        {onRetry ? <RetryButton error={known} onRetry={onRetry} /> : null}
        <ErrorLink error={known} title={title} />
      </p>
    </div>
  );
}
