import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { ErrorNote, FormField, LinkNote, submitOnce, TextField } from "@/components/ui";
import { tokenDays } from "@/lib/common/contract";
import { linksQuery, makeLink } from "./api";

const lives = [1, 7, 30, tokenDays.usual, tokenDays.most] as const;
const usualLife = 7;
const dayMs = 24 * 3600 * 1000;

/** Makes a link: for whom, and until when. It is shown once. */
export function NewLinkForm({ endpoint }: { readonly endpoint: string }) {
  const t = useTranslations("links");
  const id = useId();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [days, setDays] = useState<number>(usualLife);
  const make = useMutation({
    mutationFn: () => {
      const expiresAt = new Date(Date.now() + days * dayMs).toISOString();
      return makeLink(endpoint, { name: name.trim(), expiresAt });
    },
    onSuccess: () => {
      setName("");
      void client.invalidateQueries({ queryKey: linksQuery(endpoint).queryKey });
    },
  });
  if (make.data)
    return (
      <LinkNote
        title={t("madeFor", { name: make.data.name })}
        text={t("once")}
        url={make.data.url}
        onDone={() => make.reset()}
      />
    );
  return (
    <form className="grid max-w-[840px] gap-4" onSubmit={submitOnce(make)}>
      <TextField
        id={id}
        label={t("name")}
        hint={t("nameHint")}
        width="half"
        maxLength={80}
        autoComplete="off"
        value={name}
        onChange={setName}
      />
      <FormField id={`${id}-days`} label={t("good")}>
        <select
          id={`${id}-days`}
          className="field w-full tablet:max-w-60"
          value={days}
          onChange={({ target }) => setDays(Number(target.value))}
        >
          {lives.map((count) => (
            <option key={count} value={count}>
              {t("days", { count })}
            </option>
          ))}
        </select>
      </FormField>
      {make.isError ? <ErrorNote title={t("failed")} error={make.error} /> : null}
      <div>
        <button
          type="submit"
          className="btn"
          disabled={make.isPending || make.isSuccess}
          aria-busy={make.isPending}
        >
          {t("make")}
        </button>
      </div>
    </form>
  );
}
