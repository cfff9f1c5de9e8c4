"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { ErrorNote, notify, TerminalCommand, useOrigin } from "@/components/ui";
import type { Recipe } from "@/lib/common/contract";
import { addRecipe, changeRecipe, recipesQuery, removeRecipe } from "./api";
import { postCommand } from "./deploy-command";
import type { Draft } from "./draft";
import { contentOf } from "./draft-of-content";
import { FormDialog } from "./form-dialog";
import { RecipeLine } from "./recipe-line";

/** Keeps the choices of the form under a name, with the model and the board or without. */
export function SaveRecipe({ draft, onClose }: { draft: Draft; onClose: () => void }) {
  const t = useTranslations("deploy.recipes");
  const client = useQueryClient();
  const origin = useOrigin();
  const field = useId();
  const [name, setName] = useState("");
  const [kept, setKept] = useState({ model: false, board: true });
  const { data } = useQuery(recipesQuery());
  const content = contentOf(draft, kept);
  const wanted = name.trim();
  const same = data?.items.find((recipe) => recipe.name === wanted);
  const save = useMutation({
    mutationFn: async (replaced: Recipe | undefined) =>
      replaced
        ? { saved: await changeRecipe(replaced.id, { content }), replaced }
        : { saved: await addRecipe({ name: wanted, content }), replaced },
    onSuccess: ({ saved, replaced }) => {
      const refresh = () => client.invalidateQueries({ queryKey: ["recipes"] });
      void refresh();
      onClose();
      notify({
        title: t(replaced ? "replaced" : "saved", { name: saved.name }),
        takesFocus: true,
        undo: async () => {
          await (replaced
            ? changeRecipe(saved.id, { content: replaced.content })
            : removeRecipe(saved.id));
          await refresh();
        },
      });
    },
  });
  const isMissing = wanted === "";
  return (
    <FormDialog
      title={t("saveTitle")}
      text={t("saveText")}
      onClose={onClose}
      actions={
        <button
          type="submit"
          form={`${field}-form`}
          className="btn btn-primary"
          disabled={save.isPending}
          aria-busy={save.isPending}
        >
          {t(same ? "replace" : "save")}
        </button>
      }
    >
      <form
        id={`${field}-form`}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isMissing && !save.isPending) save.mutate(same);
        }}
      >
        <label htmlFor={field} className="label block">
          {t("name")}
        </label>
        <input
          id={field}
          className="field max-w-[360px]"
          required
          maxLength={80}
          autoComplete="off"
          value={name}
          aria-describedby={`${field}-hint`}
          onChange={(event) => setName(event.target.value)}
        />
        <p id={`${field}-hint`} className="mt-1 min-h-5 text-dense text-muted" role="status">
          {same ? t("exists", { name: same.name }) : ""}
        </p>
        <fieldset className="mt-2">
          <legend className="label">{t("keep")}</legend>
          {(["model", "board"] as const).map((part) => (
            <label key={part} className="flex min-h-7 items-center gap-2">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={kept[part]}
                onChange={(event) => setKept({ ...kept, [part]: event.target.checked })}
              />
              {t(`with.${part}`)}
            </label>
          ))}
        </fieldset>
        <p className="mt-3 text-dense">
          <RecipeLine content={content} />
        </p>
      </form>
      {save.isError ? (
        <div className="mt-4">
          <ErrorNote title={t("notSaved")} error={save.error} />
        </div>
      ) : null}
      <div className="mt-3">
        <TerminalCommand
          title={t("terminal")}
          command={postCommand(`${origin}/api/v1/recipes`, { name: wanted || "NAME", content })}
        />
      </div>
    </FormDialog>
  );
}
