"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { notify } from "@/components/ui";
import type { RecipeContent } from "@/lib/common/contract";
import { draftOfContent } from "./draft-of-content";
import type { FormStart } from "./form-start";
import type { useDeploy } from "./use-deploy";

// Each is opened by few, and YAML is a library of its own.
const SaveRecipe = dynamic(() => import("./save-recipe").then((module) => module.SaveRecipe), {
  ssr: false,
});
const RecipeList = dynamic(() => import("./recipe-list").then((module) => module.RecipeList), {
  ssr: false,
});
const YamlDialog = dynamic(() => import("./yaml-dialog").then((module) => module.YamlDialog), {
  ssr: false,
});

/** Ways to keep the whole form and to fill it in at once: recipes, and YAML. */
export function RecipeBar({
  form,
  revisionOf,
}: {
  form: ReturnType<typeof useDeploy>;
  revisionOf: FormStart["revisionOf"];
}) {
  const t = useTranslations("deploy.recipes");
  const [open, setOpen] = useState<"use" | "save" | "yaml" | null>(null);
  const { draft, choices, edit } = form;
  const engines = choices.engines.data?.items ?? [];
  const close = () => setOpen(null);
  const take = (title: string, content: RecipeContent, name?: string) => {
    const before = draft;
    const { part, missing } = draftOfContent(content, {
      boards: choices.boardList,
      engines,
      understood: t("understood"),
    });
    const named = name === undefined || revisionOf ? {} : { name, named: true };
    edit({ ...part, ...named });
    if (part.url !== undefined) form.readNow(part.url);
    close();
    notify({
      title,
      ...(missing === "board" ? { text: t("boardGone") } : {}),
      takesFocus: true,
      undo: async () => {
        edit(before);
        form.readNow(before.url);
      },
    });
  };
  return (
    <>
      <p className="mb-6 flex flex-wrap gap-2">
        <button type="button" className="btn btn-dense" onClick={() => setOpen("use")}>
          {t("openUse")}
        </button>
        <button type="button" className="btn btn-dense" onClick={() => setOpen("save")}>
          {t("openSave")}
        </button>
        <button type="button" className="btn btn-dense" onClick={() => setOpen("yaml")}>
          {t("openYaml")}
        </button>
      </p>
      {open === "use" ? (
        <RecipeList
          onUse={({ name, content }) => take(t("used", { name }), content)}
          onClose={close}
        />
      ) : null}
      {open === "save" ? <SaveRecipe draft={draft} onClose={close} /> : null}
      {open === "yaml" ? (
        <YamlDialog
          draft={draft}
          endpoint={revisionOf?.endpoint.name ?? null}
          engines={engines}
          boards={choices.models.data?.items.map(({ id }) => id) ?? []}
          onTake={({ name, content }) => take(t("taken"), content, name)}
          onClose={close}
        />
      ) : null}
    </>
  );
}
