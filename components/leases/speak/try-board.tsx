"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { z } from "zod";
import {
  ErrorNote,
  FormField,
  formatNs,
  Loaded,
  Skeleton,
  submitOnce,
  ToneIcon,
  Unknown,
} from "@/components/ui";
import { getJson, postText } from "@/lib/common/api-client";
import { artifactSchema, type Manifest, timingSchema } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { isShownAs, shownNumber } from "@/lib/common/tensor";
import { firstRow, requestOf } from "./rows";
import { type ReferenceValues, runReference } from "./run-reference";

const answerSchema = z.object({
  answer: z.object({
    outputs: z.array(
      z.object({
        name: z.string(),
        datatype: z.string(),
        shape: z.array(z.number()),
        data: z.array(z.union([z.number(), z.string(), z.boolean()])),
      }),
    ),
  }),
  timing: timingSchema,
});
type Answer = z.infer<typeof answerSchema>;

interface Tried extends Answer {
  readonly roundNs: number;
  readonly reference: ReferenceValues | null;
}

/** Rows for what its holder loaded on a board, and the answers beside what the build's own design gives. */
export function TryBoard({ leaseId, digest }: { leaseId: string; digest: string }) {
  const t = useTranslations("leases.try");
  const artifact = useQuery({
    queryKey: ["artifacts", digest, "detail"],
    queryFn: ({ signal }) =>
      getJson(`/api/v1/artifacts/${encodeURIComponent(digest)}`, artifactSchema, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Loaded query={artifact} loading={<Skeleton lines={3} />} failure={t("unreadable")}>
      {({ manifest }) => <Rows leaseId={leaseId} digest={digest} manifest={manifest} />}
    </Loaded>
  );
}

function Rows({
  leaseId,
  digest,
  manifest,
}: {
  leaseId: string;
  digest: string;
  manifest: Manifest;
}) {
  const t = useTranslations("leases.try");
  const id = useId();
  const [text, setText] = useState(() => firstRow(manifest.io));
  const send = useMutation({
    mutationFn: async (): Promise<Tried> => {
      const request = requestOf(manifest.io, text);
      if (request === null) throw fail("INFER_INVALID", t("noRows"), { hint: t("noRowsHint") });
      const startedAt = performance.now();
      const answer = await postText(`/api/v1/leases/${leaseId}/infer`, request, answerSchema);
      const roundNs = (performance.now() - startedAt) * 1e6;
      const reference = await runReference(digest, manifest, request).catch(() => null);
      return { ...answer, roundNs, reference };
    },
  });
  return (
    <div className="grid max-w-2xl gap-3">
      <form className="grid gap-2" onSubmit={submitOnce(send)}>
        <FormField id={id} label={t("rows")} hint={t("rowsHint")}>
          <textarea
            id={id}
            rows={3}
            spellCheck={false}
            className="field h-auto w-full font-mono text-dense"
            aria-describedby={`${id}-hint`}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </FormField>
        <div>
          <button
            type="submit"
            className="btn"
            disabled={send.isPending}
            aria-busy={send.isPending}
          >
            {t("send")}
          </button>
        </div>
      </form>
      {send.isError ? <ErrorNote title={t("refused")} error={send.error} /> : null}
      {send.data ? <Result tried={send.data} manifest={manifest} /> : null}
    </div>
  );
}

/** Values that are shown of an answer. */
const mostValues = 200;

function Result({ tried, manifest }: { tried: Tried; manifest: Manifest }) {
  const t = useTranslations("leases.try");
  const { answer, timing, roundNs, reference } = tried;
  const values = answer.outputs.flatMap(({ name, datatype, data, shape }) => {
    const expected = reference?.get(name);
    const labels = manifest.io.outputs.find((output) => output.name === name)?.labels;
    const perRow = Math.max(1, data.length / Math.max(1, shape[0] ?? 1));
    return data.map((value, index) => {
      const build = expected?.[index];
      return {
        key: `${name}[${index}]`,
        place: `${name}[${Math.floor(index / perRow)}, ${index % perRow}]`,
        label: labels?.[index % perRow],
        board: String(value),
        build: build === undefined ? null : shownNumber(build, datatype),
        isSame: build === undefined ? null : isShownAs(build, value, datatype),
      };
    });
  });
  const different = values.filter((value) => value.isSame === false).length;
  return (
    <section aria-label={t("result")} className="grid gap-2 text-dense">
      <p role="status" className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        {reference ? (
          <span className="flex items-baseline gap-2">
            <ToneIcon tone={different === 0 ? "ok" : "bad"} />
            {different === 0 ? t("equal") : t("different", { count: different })}
          </span>
        ) : (
          <span className="text-muted">{t("noReference")}</span>
        )}
        <span className="text-muted">{t("round", { time: formatNs(roundNs) })}</span>
        {timing.computeNs === undefined ? null : (
          <span className="text-muted">{t("compute", { time: formatNs(timing.computeNs) })}</span>
        )}
        {timing.cycles === undefined ? null : (
          <span className="text-muted">{t("cycles", { count: timing.cycles })}</span>
        )}
      </p>
      <section
        aria-label={t("values")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        className="max-h-72 overflow-auto"
      >
        <table className="table">
          <thead>
            <tr>
              <th>{t("output")}</th>
              <th className="num">{t("board")}</th>
              <th className="num">{t("build")}</th>
            </tr>
          </thead>
          <tbody>
            {values.slice(0, mostValues).map((value) => (
              <tr key={value.key}>
                <td className="font-mono">
                  {value.place}
                  {value.label ? ` ${value.label}` : ""}
                </td>
                <td className="num font-mono">{value.board}</td>
                <td className={`num font-mono ${value.isSame === false ? "text-bad" : ""}`}>
                  {value.build ?? <Unknown />}
                  {value.isSame === false ? " ≠" : ""}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {values.length > mostValues ? (
        <p className="text-muted">{t("more", { count: values.length - mostValues })}</p>
      ) : null}
    </section>
  );
}
