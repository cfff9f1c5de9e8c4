"use client";

import { useTranslations } from "next-intl";
import { type Selection, SelectionBar, useBulk } from "@/components/lists";
import type { ListedModel } from "@/lib/common/contract";
import { archiveModel } from "./api";

/** Puts the models that are marked away, or back: nothing is lost by that. */
export function BulkModels({
  selection: { rows, clear },
  nameOf,
}: {
  readonly selection: Selection<ListedModel>;
  readonly nameOf: (model: ListedModel) => string;
}) {
  const t = useTranslations("library.bulk");
  const { run, start, forget } = useBulk<ListedModel>({ queryKey: ["models", "list"], nameOf });
  const marked = [...rows.values()];
  const shown = marked.filter(({ state }) => state !== "archived");
  const away = marked.filter(({ state }) => state === "archived");
  const act = (some: readonly ListedModel[], archived: boolean) => {
    clear();
    void start(some, ({ id }) => archiveModel(id, archived));
  };
  return (
    <SelectionBar
      count={marked.length}
      noun="model"
      run={run}
      onClear={() => {
        clear();
        forget();
      }}
    >
      {shown.length > 0 ? (
        <button type="button" className="btn btn-dense" onClick={() => act(shown, true)}>
          {t("archive", { count: shown.length })}
        </button>
      ) : null}
      {away.length > 0 ? (
        <button type="button" className="btn btn-dense" onClick={() => act(away, false)}>
          {t("restore", { count: away.length })}
        </button>
      ) : null}
    </SelectionBar>
  );
}
