"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { useBoardTitle } from "@/components/boards";
import { Term } from "@/components/glossary";
import { CopyButton, formatShape, modelTitle } from "@/components/ui";
import type { Endpoint, Revision } from "@/lib/common/contract";
import { keysOf } from "@/lib/common/records";
import { AccessChoice } from "./access-choice";
import { revisionsQuery } from "./api";
import { DeleteDialog } from "./delete-dialog";
import { servingName } from "./differences";
import { newRevisionOf } from "./new-revision";
import { PayloadsSwitch } from "./requests/payloads-switch";

const LinksSection = dynamic(() =>
  import("./links/links-section").then(({ LinksSection }) => LinksSection),
);

/** What an endpoint is made of, how each of it is changed, and the way to delete it. */
export function SettingsPanel({ endpoint }: { endpoint: Endpoint }) {
  const t = useTranslations("endpoints.settings");
  const [deleting, setDeleting] = useState(false);
  const revisions = useQuery(revisionsQuery(endpoint.name)).data?.items;
  const serving = revisions?.find(({ ordinal }) => ordinal === endpoint.revision);
  const tensors = (list: Endpoint["inputs"]) =>
    list.map(({ name, datatype, shape }) => `${name} ${datatype} ${formatShape(shape)}`).join(", ");
  return (
    <>
      <dl className="mb-12 grid max-w-[820px] grid-cols-[auto_minmax(0,1fr)] gap-x-8 gap-y-2">
        <Fact name={t("serviceType")}>{endpoint.serviceType}</Fact>
        <Fact name={t("apiVersion")}>{endpoint.apiVersion}</Fact>
        <Fact name={t("model")}>{modelTitle(endpoint.modelUrl, endpoint.modelName)}</Fact>
        <Fact name={t("modelAddress")}>{endpoint.modelUrl}</Fact>
        <Fact name={t("takes")}>{tensors(endpoint.inputs)}</Fact>
        <Fact name={t("gives")}>{tensors(endpoint.outputs)}</Fact>
        <Fact
          name={t("artifact")}
          action={
            endpoint.artifactDigest ? (
              <CopyButton text={endpoint.artifactDigest} label={t("copyDigest")} />
            ) : null
          }
        >
          {endpoint.artifactDigest ?? t("noneYet")}
        </Fact>
      </dl>
      <SetWithRevision endpoint={endpoint} serving={serving} />
      <AccessChoice endpoint={endpoint} />
      <Links endpoint={endpoint.name} />
      <PayloadsSwitch name={endpoint.name} />
      <section>
        <h2 className="mb-2">{t("delete")}</h2>
        <p className="mb-3 max-w-[68ch] text-muted">{t("deleteText", { url: endpoint.url })}</p>
        <button type="button" className="btn btn-danger" onClick={() => setDeleting(true)}>
          {t("deleteName", { name: endpoint.name })}
        </button>
        {deleting ? <DeleteDialog endpoint={endpoint} onClose={() => setDeleting(false)} /> : null}
      </section>
    </>
  );
}

/** What a further revision changes, with a way to the question of the form that asks for it. */
function SetWithRevision({
  endpoint,
  serving,
}: {
  endpoint: Endpoint;
  serving: Revision | undefined;
}) {
  const t = useTranslations("endpoints");
  const board = useBoardTitle(endpoint.boardModel, endpoint.boardKind);
  const { name, revision } = endpoint;
  return (
    <section className="mb-12">
      <h2 className="mb-2">
        <Term id="revision">{t("settings.withRevision")}</Term>
      </h2>
      <p className="mb-3 max-w-[68ch] text-muted">{t("settings.withRevisionText", { revision })}</p>
      <dl className="grid max-w-[820px] grid-cols-[auto_minmax(0,1fr)] gap-x-8 gap-y-2">
        <Fact
          name={t("settings.board")}
          action={
            <Link
              className="btn btn-dense"
              href={newRevisionOf(name, { revision, question: "board" })}
            >
              {t("settings.changeBoard")}
            </Link>
          }
        >
          {board}
        </Fact>
        <Fact
          name={<Term id="batch">{t("settings.serving")}</Term>}
          action={
            <Link
              className="btn btn-dense"
              href={newRevisionOf(name, { revision, question: "serving" })}
            >
              {t("settings.changeServing")}
            </Link>
          }
        >
          {servingWords(serving, t)}
        </Fact>
      </dl>
    </section>
  );
}

function servingWords(
  revision: Revision | undefined,
  t: ReturnType<typeof useTranslations<"endpoints">>,
): string {
  const serving = revision?.request.serving ?? {};
  const set = keysOf(serving).map((name) => `${servingName(name, t)}: ${String(serving[name])}`);
  return set.length > 0 ? set.join(" · ") : t("settings.servingDefault");
}

function Fact({
  name,
  action,
  children,
}: {
  name: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="col-span-2 grid grid-cols-subgrid items-baseline border-b border-line pb-2">
      <dt className="text-muted">{name}</dt>
      <dd className="flex flex-wrap items-baseline justify-between gap-2">
        <span className="min-w-0 break-all">{children}</span>
        {action}
      </dd>
    </div>
  );
}

/** Links for people without an account. */
function Links({ endpoint }: { readonly endpoint: string }) {
  const t = useTranslations("links");
  return (
    <section className="mb-12" id="links">
      <h2 className="mb-2">{t("title")}</h2>
      <p className="mb-3 max-w-[68ch] text-muted">{t("intro")}</p>
      <LinksSection endpoint={endpoint} />
    </section>
  );
}
