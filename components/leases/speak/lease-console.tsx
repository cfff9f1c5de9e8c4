"use client";

import { useTranslations } from "next-intl";
import { useEffect, useId, useRef, useState } from "react";
import {
  ChoiceRow,
  CopyButton,
  ErrorNote,
  FormField,
  formatBytes,
  saveFile,
  useWidth,
} from "@/components/ui";
import { keptLine } from "@/lib/common/contract";
import { dumpOf } from "./dump-of";
import { lineEnds, readTyped, type Typing } from "./read-typed";
import { type ShownChunk, useConsole } from "./use-console";

/** Chunks that are drawn; the export has all. */
const mostDrawn = 300;

/** The serial line of a leased board, as bytes both ways. */
export function LeaseConsole({ leaseId, boardName }: { leaseId: string; boardName: string }) {
  const t = useTranslations("leases.console");
  const { chunks, clear, send, isEnded, isOpen, problem } = useConsole(leaseId);
  return (
    <div className="grid max-w-3xl gap-3">
      <p className="text-dense text-muted">{t("hint", { size: formatBytes(keptLine.bytes) })}</p>
      {isEnded ? (
        <p role="status" className="font-strong">
          {t("ended")}
        </p>
      ) : isOpen ? null : (
        <p role="status" className="text-muted">
          {t("notOpen")}
        </p>
      )}
      <Chunks chunks={chunks} />
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className="btn btn-quiet btn-dense"
          disabled={chunks.length === 0}
          onClick={clear}
        >
          {t("clear")}
        </button>
        <CopyButton text={() => textOf(chunks, t)}>{t("copy")}</CopyButton>
        <button
          type="button"
          className="btn btn-quiet btn-dense"
          disabled={chunks.length === 0}
          onClick={() => saveFile(`${fileNameOf(boardName)}-console.txt`, textOf(chunks, t))}
        >
          {t("export")}
        </button>
      </div>
      {isEnded ? null : (
        <SendForm
          isReady={isOpen}
          isPending={send.isPending}
          onSend={(bytes, onDone) => send.mutate(bytes, { onSuccess: onDone })}
        />
      )}
      {send.isError ? <ErrorNote title={t("notSent")} error={send.error} /> : null}
      {problem && isOpen ? <ErrorNote title={t("unheard")} error={problem} /> : null}
    </div>
  );
}

const fileNameOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, "-");

/** Hours to milliseconds of the day, as this place counts them. */
function clockOf(iso: string): string {
  const time = new Date(iso);
  const two = (value: number) => String(value).padStart(2, "0");
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":");
  return `${clock}.${String(time.getMilliseconds()).padStart(3, "0")}`;
}

type Words = ReturnType<typeof useTranslations<"leases.console">>;

const textOf = (chunks: readonly ShownChunk[], t: Words): string =>
  chunks
    .flatMap(({ at, toBoard, bytes, isAfterGap }) => [
      ...(isAfterGap ? [t("gap")] : []),
      `${at} ${t(toBoard ? "toBoard" : "fromBoard")}`,
      ...dumpOf(bytes, 16).map((line) => `  ${line}`),
    ])
    .join("\n");

function Chunks({ chunks }: { chunks: readonly ShownChunk[] }) {
  const t = useTranslations("leases.console");
  const frame = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const perLine = useWidth(frame) >= 560 ? 16 : 8;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new is scrolled to
  useEffect(() => {
    const element = frame.current;
    if (element && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [chunks, perLine]);
  const drawn = chunks.slice(-mostDrawn);
  return (
    <div
      ref={frame}
      role="log"
      aria-label={t("log")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      className="h-72 overflow-auto border border-line bg-sunken p-3 font-mono text-dense"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24;
      }}
    >
      {chunks.length === 0 ? <p className="text-muted">{t("empty")}</p> : null}
      {chunks.length > mostDrawn ? (
        <p className="text-muted">{t("earlier", { count: chunks.length - mostDrawn })}</p>
      ) : null}
      {drawn.map(({ seq, toBoard, at, bytes, isAfterGap }) => (
        <div key={seq} className="mb-2">
          {isAfterGap ? <p className="text-warn">{t("gap")}</p> : null}
          <p className={toBoard ? "text-muted" : "text-copper"}>
            <time dateTime={at}>{clockOf(at)}</time> {t(toBoard ? "toBoard" : "fromBoard")}
          </p>
          <pre className="m-0">{dumpOf(bytes, perLine).join("\n")}</pre>
        </div>
      ))}
    </div>
  );
}

function SendForm({
  isReady,
  isPending,
  onSend,
}: {
  isReady: boolean;
  isPending: boolean;
  onSend: (bytes: Uint8Array, onDone: () => void) => void;
}) {
  const t = useTranslations("leases.console");
  const id = useId();
  const [typing, setTyping] = useState<Typing>("text");
  const [end, setEnd] = useState<keyof typeof lineEnds>("lf");
  const [text, setText] = useState("");
  const bytes = readTyped(text, typing, end);
  const fault = typeof bytes === "string" ? bytes : null;
  const isEmpty = typeof bytes !== "string" && bytes.length === 0;
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (typeof bytes === "string" || isEmpty || isPending || !isReady) return;
        onSend(bytes, () => setText(""));
      }}
    >
      <ChoiceRow
        label={t("typing")}
        choices={[
          { id: "text", label: t("text") },
          { id: "hex", label: t("hex") },
        ]}
        value={typing}
        onChoose={setTyping}
      />
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-64">
          <FormField id={id} label={t("bytes")}>
            <input
              id={id}
              className="field w-full font-mono"
              autoComplete="off"
              spellCheck={false}
              value={text}
              aria-invalid={fault !== null}
              aria-describedby={fault ? `${id}-fault` : undefined}
              onChange={({ target }) => setText(target.value)}
            />
          </FormField>
        </div>
        {typing === "text" ? (
          <FormField id={`${id}-end`} label={t("end")}>
            <select
              id={`${id}-end`}
              className="field"
              value={end}
              onChange={({ target }) => setEnd(target.value as keyof typeof lineEnds)}
            >
              {(Object.keys(lineEnds) as (keyof typeof lineEnds)[]).map((each) => (
                <option key={each} value={each}>
                  {t(`ends.${each}`)}
                </option>
              ))}
            </select>
          </FormField>
        ) : null}
        <button
          type="submit"
          className="btn"
          disabled={!isReady || isPending || fault !== null || isEmpty}
          aria-busy={isPending}
        >
          {t("send")}
        </button>
      </div>
      {fault ? (
        <p id={`${id}-fault`} className="text-dense text-bad">
          {t(`faults.${fault}`)}
        </p>
      ) : null}
    </form>
  );
}
