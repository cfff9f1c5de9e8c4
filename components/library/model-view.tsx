"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import {
  Age,
  Amount,
  afterLoad,
  CopyButton,
  ErrorNote,
  formatCount,
  formatShape,
  Loaded,
  notify,
  Picture,
  quantityOfBytes,
  Section,
  Skeleton,
  StateButton,
  shortDigest,
} from "@/components/ui";
import type { ModelDetail } from "@/lib/common/contract";
import { AliasMark } from "./alias-mark";
import { archiveModel, lookAgain, modelFileUrl, modelQuery } from "./api";
import { useModelAppearance } from "./appearance";
import { layerColumns, layersFinding, type ShownLayer, shownLayers } from "./layer-columns";
import { LayerPicture } from "./layer-picture";
import { MadeOfIt } from "./made-of-it";
import { ModelAliases } from "./model-aliases";
import { UnreadableNote } from "./unreadable-note";

const DeleteModel = dynamic(() => import("./delete-model").then((module) => module.DeleteModel), {
  ssr: false,
});

/** Pictures below the first screen, which load after the page. */
const WeightRanges = dynamic(
  () => afterLoad(() => import("./weight-ranges")).then((module) => module.WeightRanges),
  { ssr: false },
);
const LayerCost = dynamic(
  () => afterLoad(() => import("./layer-cost")).then((module) => module.LayerCost),
  { ssr: false },
);

interface Shown {
  readonly model: ModelDetail;
}

/** One version of a model: what is in it, what was made of it, and its other versions. */
export function ModelView({ id }: { id: string }) {
  const t = useTranslations("library");
  return (
    <Loaded
      query={useQuery(modelQuery(id))}
      loading={<Skeleton lines={10} height={28} />}
      failure={t("unknown")}
      around={(note) => (
        <>
          <h1 className="mb-4">{t("one")}</h1>
          {note}
          <p className="mt-4">
            <Link href="/models">{t("all")}</Link>
          </p>
        </>
      )}
    >
      {(model) => (
        <>
          <Header model={model} />
          {model.problem ? <UnreadableNote problem={model.problem} /> : null}
          <div className="grid gap-x-12 desk:grid-cols-2">
            <ModelFactsSection model={model} />
            <div>
              <Versions model={model} />
              <ModelAliases model={model} />
              <Card model={model} />
            </div>
          </div>
          <Layers model={model} />
          <Measured model={model} />
          <MadeOfIt model={model} />
        </>
      )}
    </Loaded>
  );
}

function Header({ model }: Shown) {
  const t = useTranslations("library");
  const client = useQueryClient();
  const appearance = useModelAppearance()[model.state];
  const [deleting, setDeleting] = useState(false);
  const archive = useMutation({
    mutationFn: (archived: boolean) => archiveModel(model.id, archived),
    onSuccess: (changed, archived) => {
      client.setQueryData(modelQuery(model.id).queryKey, changed);
      void client.invalidateQueries({ queryKey: ["models", "list"] });
      notify({
        title: t(archived ? "archived" : "restored", { name: model.name }),
        ...(archived ? { undo: () => archive.mutateAsync(false) } : {}),
      });
    },
  });
  const { id, name, url, stored, archivedAt } = model;
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-4">
      <div className="min-w-0">
        <h1 className="break-words">{name}</h1>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-dense text-muted">
          <StateButton appearance={appearance} />
          {model.newest ? null : <span>· {t("older")}</span>}
          {model.aliases.map((alias) => (
            <AliasMark key={alias} name={alias} />
          ))}
        </p>
        <p className="mt-1 flex flex-wrap items-center text-dense">
          <code className="break-all">{url}</code>
          <CopyButton text={url} label={t("copyAddress")} />
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Link className="btn btn-primary" href={`/deploy?model=${encodeURIComponent(url)}`}>
          {t("deploy")}
        </Link>
        <LookAgain model={model} />
        {stored ? (
          <a className="btn" href={modelFileUrl(id)} download>
            {t("download")}
          </a>
        ) : null}
        <button
          type="button"
          className="btn"
          disabled={archive.isPending}
          onClick={() => archive.mutate(archivedAt === null)}
        >
          {t(archivedAt === null ? "archive" : "restore")}
        </button>
        <button type="button" className="btn btn-danger" onClick={() => setDeleting(true)}>
          {t("delete")}
        </button>
      </div>
      {archive.isError ? <ErrorNote title={t("notDone")} error={archive.error} /> : null}
      {deleting ? <DeleteModel model={model} onClose={() => setDeleting(false)} /> : null}
    </header>
  );
}

/** Reads the source again; other bytes than before have a page of their own. */
function LookAgain({ model: { id, state } }: Shown) {
  const t = useTranslations("library.look");
  const client = useQueryClient();
  const router = useRouter();
  const look = useMutation({
    mutationFn: () => lookAgain(id),
    onSuccess: (found) => {
      notify({ title: t(found.changed ? "changed" : "same") });
      if (found.id !== id) router.push(`/models/${found.id}`);
    },
    onError: (error) => notify({ title: t("failed"), text: error.message }),
    onSettled: () => client.invalidateQueries({ queryKey: ["models"] }),
  });
  return (
    <button
      type="button"
      className="btn"
      disabled={look.isPending}
      aria-busy={look.isPending}
      onClick={() => look.mutate()}
    >
      {look.isPending ? t("reading") : t(state === "unread" ? "inspect" : "again")}
    </button>
  );
}

function ModelFactsSection({ model }: Shown) {
  const t = useTranslations("library.facts");
  const { format, opset, sizeBytes, parameters, digest, inputs, outputs, layers, looked } = model;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t("format"), format ? `${format}${opset ? `, opset ${opset}` : ""}` : "–"],
    [t("size"), sizeBytes === null ? "–" : <Amount key="s" {...quantityOfBytes(sizeBytes)} />],
    ...(layers ? [[t("layers"), formatCount(layers.length)] as const] : []),
    ...(parameters === undefined ? [] : [[t("parameters"), formatCount(parameters)] as const]),
    [
      t("digest"),
      <span key="d" className="inline-flex flex-wrap items-center">
        <code title={digest}>{shortDigest(digest)}</code>
        <CopyButton text={digest} label={t("copyDigest")} />
      </span>,
    ],
    [t("first"), <Age key="c" time={model.createdAt} />],
    [t("last"), <Age key="l" time={model.seenAt} />],
  ];
  return (
    <Section title={t("title")}>
      <dl className="grid grid-cols-[minmax(88px,auto)_minmax(0,1fr)] items-baseline gap-x-6 gap-y-1 text-dense">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
        <Tensors name={t("inputs")} tensors={inputs} />
        <Tensors name={t("outputs")} tensors={outputs} />
      </dl>
      {looked?.problem ? (
        <p className="mt-3 text-dense text-warn">
          {t("lookFailed", { message: looked.problem.message })}
        </p>
      ) : null}
    </Section>
  );
}

function Tensors({ name, tensors }: { name: string; tensors: ModelDetail["inputs"] }) {
  if (!tensors || tensors.length === 0) return null;
  return (
    <div className="contents">
      <dt className="text-muted">{name}</dt>
      <dd>
        <ul>
          {tensors.map((tensor) => (
            <li key={tensor.name} className="break-words">
              <code>{tensor.name}</code> {tensor.datatype} {formatShape(tensor.shape)}
            </li>
          ))}
        </ul>
      </dd>
    </div>
  );
}

function Versions({ model: { id: shown, versions } }: Shown) {
  const t = useTranslations("library.versions");
  const appearances = useModelAppearance();
  return (
    <Section title={t("title")} id="versions">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t("digest")}</th>
            <th scope="col">{t("state")}</th>
            <th scope="col" className="num">
              {t("builds")}
            </th>
            <th scope="col" className="num">
              {t("seen")}
            </th>
          </tr>
        </thead>
        <tbody>
          {versions.map(({ id, digest, state, builds, seenAt, newest, aliases }) => (
            <tr key={id} aria-current={id === shown ? "true" : undefined}>
              <td>
                {id === shown ? (
                  <code className="font-strong">{shortDigest(digest)}</code>
                ) : (
                  <Link className="row-link" href={`/models/${id}`}>
                    <code>{shortDigest(digest)}</code>
                  </Link>
                )}
                {newest ? <span className="label block">{t("newest")}</span> : null}
                {aliases.length > 0 ? (
                  <span className="flex flex-wrap gap-1">
                    {aliases.map((alias) => (
                      <AliasMark key={alias} name={alias} />
                    ))}
                  </span>
                ) : null}
              </td>
              <td className="text-dense">{appearances[state].label}</td>
              <td className="num">{formatCount(builds)}</td>
              <td className="num text-dense text-muted">
                <Age time={seenAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

/** What the author says of the model, as text. */
function Card({ model: { card } }: Shown) {
  const t = useTranslations("library");
  if (!card) return null;
  const facts = Object.entries(card).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return [name, text.length > 400 ? `${text.slice(0, 400)}…` : text] as const;
  });
  return (
    <Section title={t("card")} id="card">
      <dl className="grid grid-cols-[minmax(88px,auto)_minmax(0,1fr)] gap-x-6 gap-y-1 text-dense">
        {facts.map(([name, text]) => (
          <div key={name} className="contents">
            <dt className="break-words text-muted">{name}</dt>
            <dd className="break-words">{text}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Layers({ model }: Shown) {
  const t = useTranslations("library.graph");
  const { graph, layers = [], inputs = [], state } = model;
  const shown = shownLayers(model, graph);
  if (layers.length === 0 && state !== "unread") return null;
  return (
    <Section title={t("title", { count: layers.length })} id="layers">
      {graph && graph.layers.length > 0 ? (
        <LayerPicture graph={graph} layers={shown} inputs={inputs} />
      ) : (
        <>
          <p className="mb-4 flex flex-wrap items-center gap-3">
            {t(model.format === "savedmodel" ? "noPicture" : "old")} <LookAgain model={model} />
          </p>
          {layers.length > 0 ? <LayersInWords layers={shown} /> : null}
        </>
      )}
    </Section>
  );
}

/** How the weights lie, and what each layer takes of a chip. */
function Measured({ model }: Shown) {
  const t = useTranslations("library");
  if (!model.layers || model.layers.length === 0) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-12 desk:grid-cols-2">
      <Section title={t("weights.title")} id="weights">
        <WeightRanges model={model} />
      </Section>
      <Section title={t("cost.title")} id="cost">
        <LayerCost model={model} />
      </Section>
    </div>
  );
}

/** Layers of which only the table is known. */
function LayersInWords({ layers }: { layers: readonly ShownLayer[] }) {
  const t = useTranslations("library.graph");
  return (
    <Picture
      title={layersFinding(layers, t)}
      summary={t("layers")}
      file="layers"
      keys="own"
      rows={layers}
      columns={layerColumns(t)}
    >
      {null}
    </Picture>
  );
}
