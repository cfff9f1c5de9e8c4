"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { ErrorNote, notify, Section } from "@/components/ui";
import { type ModelDetail, namePattern } from "@/lib/common/contract";
import { AliasMark } from "./alias-mark";
import { removeAlias, setAlias } from "./api";

/** The names of this version, which can be taken from it, and the way to give it one; both can be taken back. */
export function ModelAliases({
  model: { id, aliases, versions },
}: {
  readonly model: ModelDetail;
}) {
  const t = useTranslations("library.aliases");
  const client = useQueryClient();
  const [text, setText] = useState("");
  const [isWrong, setIsWrong] = useState(false);
  const field = useId();
  const act = async (call: () => Promise<unknown>) => {
    await call();
    await client.invalidateQueries({ queryKey: ["models"] });
  };
  const set = useMutation({
    mutationFn: async (name: string) => {
      // Afterwards, nobody knows which version had it.
      const before = versions.find(
        (version) => version.id !== id && version.aliases.includes(name),
      );
      await act(() => setAlias(id, name));
      return before;
    },
    onSuccess: (before, name) => {
      setText("");
      notify({
        title: t(before ? "moved" : "set", { name }),
        undo: () => act(() => (before ? setAlias(before.id, name) : removeAlias(id, name))),
      });
    },
  });
  const remove = useMutation({
    mutationFn: (name: string) => act(() => removeAlias(id, name)),
    onSuccess: (_, name) =>
      notify({ title: t("removed", { name }), undo: () => act(() => setAlias(id, name)) }),
  });
  const error = set.error ?? remove.error;
  return (
    <Section title={t("title")} id="aliases">
      {aliases.length === 0 ? (
        <p className="text-muted">{t("none")}</p>
      ) : (
        <ul aria-label={t("title")} className="flex flex-wrap gap-x-4 gap-y-2">
          {aliases.map((name) => (
            <li key={name} className="flex min-w-0 items-center gap-1.5">
              <AliasMark name={name} />
              <button
                type="button"
                className="btn btn-dense"
                disabled={remove.isPending}
                aria-label={t("removeOf", { name })}
                onClick={() => remove.mutate(name)}
              >
                {t("remove")}
              </button>
            </li>
          ))}
        </ul>
      )}
      <form
        className="mt-3"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const isName = namePattern.test(text.trim());
          setIsWrong(!isName);
          if (isName && !set.isPending) set.mutate(text.trim());
        }}
      >
        <label htmlFor={field} className="mb-1 block text-dense">
          {t("name")}
        </label>
        <div className="flex flex-wrap gap-2">
          <input
            id={field}
            className="field min-w-0 max-w-64 flex-1"
            placeholder={t("example")}
            autoComplete="off"
            maxLength={63}
            value={text}
            aria-invalid={isWrong}
            aria-describedby={`${field}-hint`}
            onChange={(event) => {
              setText(event.target.value);
              setIsWrong(false);
            }}
          />
          <button type="submit" className="btn" disabled={set.isPending || text.trim() === ""}>
            {t("give")}
          </button>
        </div>
        <p
          id={`${field}-hint`}
          role={isWrong ? "alert" : undefined}
          className={`mt-1 text-dense ${isWrong ? "text-bad" : "text-muted"}`}
        >
          {t(isWrong ? "wrong" : "hint")}
        </p>
      </form>
      {error ? <ErrorNote title={t("failed")} error={error} /> : null}
    </Section>
  );
}
