"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { type FilterPart, ListPage, type SavedView } from "@/components/lists";
import { Empty, useOrigin } from "@/components/ui";
import { type ListedModel, modelStates } from "@/lib/common/contract";
import { modelCountsQuery, modelsQuery } from "./api";
import { useModelAppearance } from "./appearance";
import { BulkModels } from "./bulk-models";
import { useModelColumns } from "./model-columns";

const sorts = ["-created", "created", "name", "-name", "size", "-size"] as const;
const filters: readonly FilterPart[] = ["kind"];

const nameOf = ({ name }: ListedModel) => name;
const idOf = ({ id }: ListedModel) => id;

/** All models of the project, each by its newest version. */
export function ModelsList() {
  const t = useTranslations("library");
  const views = useMemo<readonly SavedView[]>(
    () => [
      { name: t("views.unreadable"), query: "state=unreadable&state=unread" },
      { name: t("views.archived"), query: "state=archived" },
      { name: t("views.large"), query: "sort=-size" },
    ],
    [t],
  );
  return (
    <ListPage
      noun="model"
      api="/api/v1/models"
      states={modelStates}
      sorts={sorts}
      appearance={useModelAppearance()}
      pageOf={modelsQuery}
      countsOf={modelCountsQuery}
      columns={useModelColumns()}
      idOf={idOf}
      nameOf={nameOf}
      placeholder={t("placeholder")}
      filters={filters}
      views={views}
      first={<NoModels />}
      bulk={(selection) => <BulkModels selection={selection} nameOf={nameOf} />}
    />
  );
}

function NoModels() {
  const t = useTranslations("library.empty");
  const origin = useOrigin();
  return (
    <Empty
      title={t("title")}
      action={
        <Link className="btn btn-primary" href="/deploy?sample=iris-mlp">
          {t("action")}
        </Link>
      }
      command={`curl -sS -F file=@model.onnx ${origin}/api/v1/models`}
    >
      {t("text")}
    </Empty>
  );
}
