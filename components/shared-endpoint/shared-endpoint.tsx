"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import {
  CopyButton,
  ErrorNote,
  formatShape,
  Loaded,
  Skeleton,
  TerminalCommand,
  useHash,
  useOrigin,
} from "@/components/ui";
import { toAppError } from "@/lib/common/errors";
import { firstRequest, infer, type Metadata, readMetadata } from "./api";

/** An endpoint for whoever has a link to it: what it takes and gives, a request to send, and the call for programs. */
export function SharedEndpoint({ name }: { readonly name: string }) {
  const t = useTranslations("links.page");
  const token = useHash();
  return (
    <>
      <p className="text-muted">{t("title")}</p>
      <h1 className="mb-6 break-words">{name}</h1>
      {token === null ? (
        <Skeleton lines={4} height={48} />
      ) : token === "" ? (
        <>
          <h2 className="mb-2">{t("noCode")}</h2>
          <p className="max-w-prose">{t("noCodeText")}</p>
        </>
      ) : (
        <Read name={name} token={token} />
      )}
    </>
  );
}

function Read({ name, token }: { readonly name: string; readonly token: string }) {
  const t = useTranslations("links.page");
  const metadata = useQuery({
    queryKey: ["shared", name, token],
    queryFn: () => readMetadata(name, token),
    retry: false,
  });
  const isOver = metadata.isError && toAppError(metadata.error).reason === "UNAUTHENTICATED";
  return (
    <Loaded
      query={metadata}
      loading={<Skeleton lines={4} height={48} />}
      failure={t(isOver ? "over" : "refused")}
    >
      {(known) => <Try metadata={known} token={token} />}
    </Loaded>
  );
}

/** More is not drawn. */
const mostShown = 20_000;

function Try({ metadata, token }: { readonly metadata: Metadata; readonly token: string }) {
  const { name, inputs, outputs } = metadata;
  const t = useTranslations("links.page");
  const id = useId();
  const origin = useOrigin();
  const [first] = useState(() => firstRequest(inputs));
  const [text, setText] = useState(first.text);
  const send = useMutation({
    mutationFn: async () => {
      const startedMs = performance.now();
      const answer = await infer(name, token, text);
      return { answer, tookMs: performance.now() - startedMs };
    },
  });
  const command = `curl -sS '${origin}/v2/models/${name}/infer' \\\n  -H "Authorization: Bearer $BOARDWALK_TOKEN" -H 'Content-Type: application/json' \\\n  -d '${text.replaceAll("'", "'\\''")}'`;
  return (
    <>
      <dl className="mb-6 grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1">
        <Tensors title={t("takes")} tensors={inputs} />
        <Tensors title={t("gives")} tensors={outputs} />
      </dl>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!send.isPending) send.mutate();
        }}
      >
        <label className="label" htmlFor={id}>
          {t("request")}
        </label>
        <textarea
          id={id}
          className="field min-h-40 w-full font-mono text-label"
          spellCheck={false}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        {first.isLarge ? <p className="text-dense text-muted">{t("large")}</p> : null}
        <div>
          <button
            type="submit"
            className="btn btn-primary"
            disabled={send.isPending}
            aria-busy={send.isPending}
          >
            {t("send")}
          </button>
        </div>
      </form>
      <div role="status" className="mt-6">
        {send.isError ? <ErrorNote title={t("refused")} error={send.error} /> : null}
        {send.data ? <Answer {...send.data} /> : null}
      </div>
      <section className="mt-8">
        <h2 className="mb-2">{t("program")}</h2>
        <p className="mb-2 flex flex-wrap items-center gap-2">
          {t("programText")} <CopyButton text={token} label={t("copyToken")} />
        </p>
        <TerminalCommand title="curl" command={command} />
      </section>
    </>
  );
}

function Answer({ answer, tookMs }: { readonly answer: string; readonly tookMs: number }) {
  const t = useTranslations("links.page");
  return (
    <>
      <h2 className="mb-2">
        {t("answer")}{" "}
        <span className="text-dense text-muted">{t("took", { ms: Math.round(tookMs) })}</span>
      </h2>
      <pre className="well p-3 text-label break-all whitespace-pre-wrap">
        {answer.slice(0, mostShown)}
      </pre>
      {answer.length > mostShown ? (
        <p className="text-dense text-muted">{t("long", { count: mostShown })}</p>
      ) : null}
    </>
  );
}

function Tensors({
  title,
  tensors,
}: {
  readonly title: string;
  readonly tensors: Metadata["inputs"];
}) {
  return (
    <>
      <dt className="text-muted">{title}</dt>
      <dd className="min-w-0 break-words">
        {tensors.map(({ name, datatype, shape }) => (
          <span key={name} className="block">
            {name} {datatype} {formatShape(shape)}
          </span>
        ))}
      </dd>
    </>
  );
}
