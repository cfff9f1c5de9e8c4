"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import type { ListColumn } from "@/components/lists";
import {
  Age,
  Amount,
  formatCount,
  formatShape,
  quantityOfBytes,
  StateButton,
  Unknown,
} from "@/components/ui";
import type { ListedModel } from "@/lib/common/contract";
import { AliasMark } from "./alias-mark";
import { useModelAppearance } from "./appearance";

type Row = ListedModel;

/** What a list of models shows of each, in order. */
export function useModelColumns(): readonly ListColumn<Row>[] {
  const t = useTranslations("library.columns");
  return useMemo(
    () => [
      {
        id: "name",
        enableHiding: false,
        meta: { label: t("name"), place: "title" },
        cell: ({ row }) => <Name model={row.original} />,
      },
      {
        id: "state",
        enableHiding: false,
        enableSorting: false,
        meta: { label: t("state"), place: "state" },
        cell: ({ row }) => <State model={row.original} />,
      },
      {
        id: "format",
        enableSorting: false,
        meta: { label: t("format"), place: "line" },
        cell: ({ row }) => row.original.format ?? <Unknown />,
      },
      {
        id: "tensors",
        enableSorting: false,
        meta: { label: t("tensors"), place: "line" },
        cell: ({ row }) => <Tensors model={row.original} />,
      },
      {
        id: "parameters",
        enableSorting: false,
        meta: { label: t("parameters"), place: "line", numeric: true, from: "desk" },
        cell: ({ row }) =>
          row.original.parameters === null ? <Unknown /> : formatCount(row.original.parameters),
      },
      {
        id: "size",
        sortDescFirst: true,
        meta: { label: t("size"), place: "line", numeric: true, from: "desk" },
        cell: ({ row }) =>
          row.original.sizeBytes === null ? (
            <Unknown />
          ) : (
            <Amount {...quantityOfBytes(row.original.sizeBytes)} />
          ),
      },
      {
        id: "versions",
        enableSorting: false,
        meta: { label: t("versions"), place: "line", numeric: true, from: "desk" },
        cell: ({ row }) => formatCount(row.original.versions),
      },
      {
        id: "builds",
        enableSorting: false,
        meta: { label: t("builds"), place: "line", numeric: true },
        cell: ({ row }) => formatCount(row.original.builds),
      },
      {
        id: "endpoints",
        enableSorting: false,
        meta: { label: t("endpoints"), place: "line", numeric: true },
        cell: ({ row }) => formatCount(row.original.endpoints),
      },
      {
        id: "created",
        sortDescFirst: true,
        meta: { label: t("created"), place: "line", numeric: true },
        cell: ({ row }) => (
          <span className="text-dense text-muted">
            <Age time={row.original.createdAt} />
          </span>
        ),
      },
    ],
    [t],
  );
}

function Name({ model: { id, name, url, aliases } }: { readonly model: Row }) {
  const t = useTranslations("library.aliases");
  return (
    <div className="tablet:max-w-48 desk:max-w-64">
      <Link className="row-link block truncate font-strong" href={`/models/${id}`}>
        {name}
      </Link>
      <span className="list-second block truncate text-dense text-muted" title={url}>
        {url}
      </span>
      {aliases.length > 0 ? (
        <span className="flex flex-wrap gap-1">
          {aliases.map((alias) =>
            alias.modelId === id ? (
              <AliasMark key={alias.name} name={alias.name} />
            ) : (
              <Link key={alias.name} href={`/models/${alias.modelId}`} title={t("elsewhere")}>
                <AliasMark name={alias.name} />
              </Link>
            ),
          )}
        </span>
      ) : null}
    </div>
  );
}

function State({ model: { state } }: { readonly model: Row }) {
  return <StateButton appearance={useModelAppearance()[state]} />;
}

/** `[4] → [3]`: shapes of a row, the batch dimension left out. */
function Tensors({ model: { inputs, outputs } }: { readonly model: Row }) {
  if (inputs.length === 0 || outputs.length === 0) return <Unknown />;
  const shapes = (tensors: Row["inputs"]) =>
    tensors
      .slice(0, 2)
      .map(({ shape }) => formatShape(shape))
      .join(", ") + (tensors.length > 2 ? ", …" : "");
  return (
    <span className="text-dense tablet:whitespace-nowrap">
      {shapes(inputs)} → {shapes(outputs)}
    </span>
  );
}
