import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { daysFromNow, LifeField } from "@/components/credentials";
import { ErrorNote, LinkNote, submitOnce, TextField } from "@/components/ui";
import { linksQuery, makeLink } from "./api";

const usualLife = 7;

/** Makes a link: for whom, and until when. It is shown once. */
export function NewLinkForm({ endpoint }: { readonly endpoint: string }) {
  const t = useTranslations("links");
  const id = useId();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [days, setDays] = useState<number>(usualLife);
  const [pace, setPace] = useState("10");
  const make = useMutation({
    mutationFn: () =>
      makeLink(endpoint, {
        name: name.trim(),
        expiresAt: daysFromNow(days),
        requestsPerSecond: Number(pace),
      }),
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
      <LifeField id={`${id}-days`} label={t("good")} days={days} onChange={setDays} />
      <TextField
        id={`${id}-pace`}
        type="number"
        width="half"
        min={1}
        max={1_000_000}
        label={t("pace")}
        value={pace}
        onChange={setPace}
      />
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
