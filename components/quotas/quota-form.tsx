import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { ErrorNote, notify, submitOnce, TextField } from "@/components/ui";
import {
  type ProjectQuotas,
  type QuotaLimits,
  type QuotaName,
  quotaNames,
} from "@/lib/common/contract";
import { quotasKey, setQuotas } from "./api";

/** People give storage in GiB. */
const unitOf = (name: QuotaName): number => (name === "storageBytes" ? 2 ** 30 : 1);

type Texts = Readonly<Record<QuotaName, string>>;

const textsOf = (limits: QuotaLimits): Texts =>
  Object.fromEntries(
    quotaNames.map((name) => {
      const limit = limits[name];
      return [name, limit === null ? "" : String(limit / unitOf(name))];
    }),
  ) as Texts;

const limitsOf = (texts: Texts): QuotaLimits =>
  Object.fromEntries(
    quotaNames.map((name) => {
      const text = texts[name].trim();
      return [name, text === "" ? null : Math.round(Number(text) * unitOf(name))];
    }),
  ) as QuotaLimits;

/** Sets the limits of a project; what is left empty has none. */
export function QuotaForm({ quotas: { project, limits } }: { readonly quotas: ProjectQuotas }) {
  const t = useTranslations("quotas");
  const id = useId();
  const client = useQueryClient();
  const [texts, setTexts] = useState(() => textsOf(limits));
  const send = useMutation({
    mutationFn: () => setQuotas(project.id, limitsOf(texts)),
    onSuccess: async () => {
      notify({ title: t("saved", { project: project.name }) });
      await client.invalidateQueries({ queryKey: quotasKey });
    },
  });
  return (
    <form className="mt-4 grid max-w-[640px] gap-4 tablet:grid-cols-2" onSubmit={submitOnce(send)}>
      {quotaNames.map((name) => (
        <TextField
          key={name}
          id={`${id}-${name}`}
          type="number"
          required={false}
          min={0}
          step={name === "storageBytes" ? "any" : 1}
          placeholder={t("noLimit")}
          label={t(`fields.${name}`)}
          value={texts[name]}
          onChange={(text) => setTexts({ ...texts, [name]: text })}
        />
      ))}
      <p className="text-dense text-muted tablet:col-span-2">{t("emptyMeans")}</p>
      {send.isError ? (
        <div className="tablet:col-span-2">
          <ErrorNote title={t("failed")} error={send.error} />
        </div>
      ) : null}
      <button type="submit" className="btn justify-self-start" disabled={send.isPending}>
        {t("save")}
      </button>
    </form>
  );
}
