"use client";

import { Dialog } from "@base-ui/react/dialog";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { type Selection, SelectionBar, useBulk } from "@/components/lists";
import { TypedConfirmation } from "@/components/ui";
import type { ListedArtifact } from "@/lib/common/contract";
import { deleteArtifact } from "./api";

/** Deletes the firmware that is marked, as far as nothing needs it. */
export function BulkFirmware({
  selection: { rows, clear },
  nameOf,
}: {
  readonly selection: Selection<ListedArtifact>;
  readonly nameOf: (artifact: ListedArtifact) => string;
}) {
  const t = useTranslations("firmware");
  const [asked, setAsked] = useState(false);
  const { run, start, forget } = useBulk<ListedArtifact>({
    queryKey: ["artifacts", "list"],
    nameOf,
  });
  const marked = [...rows.values()];
  const count = marked.length;
  return (
    <SelectionBar
      count={count}
      noun="artifact"
      run={run}
      onClear={() => {
        clear();
        forget();
      }}
    >
      {count > 0 ? (
        <button type="button" className="btn btn-danger btn-dense" onClick={() => setAsked(true)}>
          {t("bulk.delete", { count })}
        </button>
      ) : null}
      {asked ? (
        <Dialog.Root open onOpenChange={setAsked}>
          <TypedConfirmation
            title={t("bulk.title", { count })}
            words={t("bulk.words", { count })}
            keep={t("deleting.keep")}
            onConfirm={() => {
              setAsked(false);
              clear();
              void start(marked, ({ digest }) => deleteArtifact(digest));
            }}
          >
            {t("bulk.impact")}
          </TypedConfirmation>
        </Dialog.Root>
      ) : null}
    </SelectionBar>
  );
}
