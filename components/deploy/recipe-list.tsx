"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import {
  Age,
  CopyButton,
  ErrorNote,
  Loaded,
  notify,
  Skeleton,
  TerminalCommand,
  useOrigin,
} from "@/components/ui";
import type { Recipe } from "@/lib/common/contract";
import { changeRecipe, recipesQuery, removeRecipe, restoreRecipe } from "./api";
import { FormDialog } from "./form-dialog";
import { RecipeLine } from "./recipe-line";

/** Every recipe, to fill in the form with, to rename and to delete. */
export function RecipeList({
  onUse,
  onClose,
}: {
  onUse: (recipe: Recipe) => void;
  onClose: () => void;
}) {
  const t = useTranslations("deploy.recipes");
  const origin = useOrigin();
  return (
    <FormDialog title={t("useTitle")} text={t("useText")} onClose={onClose}>
      <Loaded
        query={useQuery(recipesQuery())}
        loading={<Skeleton lines={3} height={36} />}
        failure={t("unreadable")}
        empty={<p>{t("none")}</p>}
      >
        {({ items }) => (
          <ul aria-label={t("list")} className="divide-y divide-line border-y border-line">
            {items.map((recipe) => (
              <RecipeRow key={recipe.id} recipe={recipe} onUse={() => onUse(recipe)} />
            ))}
          </ul>
        )}
      </Loaded>
      <div className="mt-3">
        <TerminalCommand title={t("terminal")} command={`curl -sS ${origin}/api/v1/recipes`} />
      </div>
    </FormDialog>
  );
}

/** Where the form is filled in with a recipe. */
const addressOf = (id: string) => `/deploy?recipe=${id}`;

function RecipeRow({ recipe, onUse }: { recipe: Recipe; onUse: () => void }) {
  const t = useTranslations("deploy.recipes");
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: ["recipes"] });
  const origin = useOrigin();
  const [isRenaming, setRenaming] = useState(false);
  const { id, name, content, updatedAt } = recipe;
  const remove = useMutation({
    mutationFn: () => removeRecipe(id),
    onSuccess: async () => {
      await refresh();
      notify({
        title: t("deleted", { name }),
        undo: async () => {
          await restoreRecipe(id);
          await refresh();
        },
      });
    },
  });
  return (
    <li className="py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {isRenaming ? (
          <RenameForm recipe={recipe} onDone={() => setRenaming(false)} />
        ) : (
          <>
            <span className="min-w-0 flex-1 basis-full font-strong break-words tablet:basis-0">
              {name}
            </span>
            <span className="label">
              <Age time={updatedAt} />
            </span>
            <button
              type="button"
              className="btn btn-dense"
              aria-label={t("useNamed", { name })}
              onClick={onUse}
            >
              {t("use")}
            </button>
            <button
              type="button"
              className="btn btn-quiet btn-dense"
              aria-label={t("renameNamed", { name })}
              onClick={() => setRenaming(true)}
            >
              {t("rename")}
            </button>
            <CopyButton text={origin + addressOf(id)} label={t("linkNamed", { name })}>
              {t("link")}
            </CopyButton>
            <button
              type="button"
              className="btn btn-quiet btn-dense"
              aria-label={t("deleteNamed", { name })}
              disabled={remove.isPending}
              onClick={() => remove.mutate()}
            >
              {t("delete")}
            </button>
          </>
        )}
      </div>
      <p className="text-dense">
        <RecipeLine content={content} />
      </p>
      {remove.isError ? <ErrorNote title={t("notDeleted")} error={remove.error} /> : null}
    </li>
  );
}

function RenameForm({ recipe: { id, name }, onDone }: { recipe: Recipe; onDone: () => void }) {
  const t = useTranslations("deploy.recipes");
  const client = useQueryClient();
  const field = useId();
  const [typed, setTyped] = useState(name);
  const rename = useMutation({
    mutationFn: () => changeRecipe(id, { name: typed.trim() }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["recipes"] });
      onDone();
      notify({
        title: t("renamed", { name: typed.trim() }),
        undo: async () => {
          await changeRecipe(id, { name });
          await client.invalidateQueries({ queryKey: ["recipes"] });
        },
      });
    },
  });
  return (
    <form
      className="grow"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() === name) onDone();
        else if (typed.trim() !== "") rename.mutate();
      }}
    >
      <div className="flex flex-wrap gap-2">
        <label htmlFor={field} className="sr-only">
          {t("newName", { name })}
        </label>
        <input
          id={field}
          className="field h-8 min-w-0 flex-1 text-dense"
          maxLength={80}
          required
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: The press that opened it asked for it.
          autoFocus
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <button type="submit" className="btn btn-dense" disabled={rename.isPending}>
          {t("rename")}
        </button>
        <button type="button" className="btn btn-quiet btn-dense" onClick={onDone}>
          {t("keepName")}
        </button>
      </div>
      {rename.isError ? <ErrorNote title={t("notRenamed")} error={rename.error} /> : null}
    </form>
  );
}
