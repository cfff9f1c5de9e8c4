import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { daysFromNow, LifeField } from "@/components/credentials";
import { ErrorNote, FormField, submitOnce, TextField } from "@/components/ui";
import { type TokenScope, tokenScopes } from "@/lib/common/contract";
import { makeToken, tokensQuery } from "./api";
import { MadeTokenNote } from "./made-token-note";
import { useEndpointChoice } from "./use-endpoint-choice";

const usualLife = 30;

/** Makes a token: for whom, what it is good for, where, and until when. */
export function NewTokenForm() {
  const t = useTranslations("tokens");
  const id = useId();
  const client = useQueryClient();
  const wanted = useSearchParams().get("endpoint");
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly TokenScope[]>(["infer"]);
  const [endpoint, setEndpoint] = useState(wanted ?? "");
  const [days, setDays] = useState<number>(usualLife);
  const [pace, setPace] = useState("");
  const { names, gateway } = useEndpointChoice();
  const isForEndpoints = scopes.length === 1 && scopes[0] === "infer";
  const only = isForEndpoints && endpoint !== "" ? endpoint : null;
  const make = useMutation({
    mutationFn: () =>
      makeToken({
        name: name.trim(),
        scopes: [...scopes],
        ...(only === null ? {} : { endpoints: [only] }),
        expiresAt: daysFromNow(days),
        ...(pace === "" ? {} : { requestsPerSecond: Number(pace) }),
      }),
    onSuccess: () => {
      setName("");
      void client.invalidateQueries({ queryKey: tokensQuery().queryKey });
    },
  });
  if (make.data)
    return <MadeTokenNote made={make.data} gateway={gateway} onStored={() => make.reset()} />;
  return (
    <form className="grid max-w-[840px] gap-5" onSubmit={submitOnce(make)}>
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
      <fieldset>
        <legend className="label mb-1">{t("scopes")}</legend>
        <div className="grid gap-1">
          {tokenScopes.map((scope) => (
            <label key={scope} className="flex min-h-6 items-baseline gap-3">
              <input
                type="checkbox"
                className="size-4 self-center accent-accent"
                checked={scopes.includes(scope)}
                onChange={({ target }) =>
                  setScopes(
                    tokenScopes.filter((each) =>
                      each === scope ? target.checked : scopes.includes(each),
                    ),
                  )
                }
              />
              <span>
                {t(`scopeNames.${scope}`)}
                <span className="ml-2 text-dense text-muted">{t(`scopeHints.${scope}`)}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      {isForEndpoints ? (
        <FormField id={`${id}-where`} label={t("where")}>
          <select
            id={`${id}-where`}
            className="field w-full tablet:max-w-96"
            value={endpoint}
            onChange={({ target }) => setEndpoint(target.value)}
          >
            <option value="">{t("everyEndpoint")}</option>
            {[...new Set([...(wanted ? [wanted] : []), ...names])].map((each) => (
              <option key={each} value={each}>
                {t("onlyEndpoint", { name: each })}
              </option>
            ))}
          </select>
        </FormField>
      ) : null}
      <LifeField id={`${id}-days`} label={t("expires")} days={days} onChange={setDays} />
      <TextField
        id={`${id}-pace`}
        type="number"
        width="half"
        required={false}
        min={1}
        max={1_000_000}
        label={t("pace")}
        hint={t("paceHint")}
        value={pace}
        onChange={setPace}
      />
      {make.isError ? <ErrorNote title={t("failed")} error={make.error} /> : null}
      <div>
        <button
          type="submit"
          className="btn btn-primary"
          disabled={make.isPending || scopes.length === 0}
          aria-busy={make.isPending}
        >
          {t("make")}
        </button>
      </div>
    </form>
  );
}
