import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Age, ErrorNote, Loaded, Skeleton, submitOnce } from "@/components/ui";
import type { SignInWay } from "@/lib/common/contract";
import { linkService, removeWay, sessionsQuery, signInOptionsQuery, waysQuery } from "./api";
import { NewPasskeyForm } from "./new-passkey-form";
import { useProof } from "./use-proof";

/** How one can sign in: what there is, and further ways. */
export function SignInWays() {
  const t = useTranslations("people.ways");
  return (
    <>
      <p className="mb-3 max-w-prose text-muted">{t("text")}</p>
      <Loaded
        query={useQuery(waysQuery())}
        loading={<Skeleton lines={2} height={48} />}
        failure={t("unreadable")}
      >
        {({ items }) => <Ways items={items} />}
      </Loaded>
    </>
  );
}

function Ways({ items }: { readonly items: readonly SignInWay[] }) {
  const t = useTranslations("people.ways");
  const client = useQueryClient();
  const { service, hasPasskeys } = useQuery(signInOptionsQuery()).data ?? {};
  const remove = useMutation({
    mutationFn: removeWay,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: waysQuery().queryKey });
      await client.invalidateQueries({ queryKey: sessionsQuery().queryKey });
    },
  });
  const [refusal, setRefusal] = useState<unknown>(null);
  const { proof, field } = useProof(refusal);
  const link = useMutation({
    mutationFn: () => linkService(proof),
    onError: setRefusal,
    onSuccess: ({ url }) => location.assign(url),
  });
  const nameOf = ({ kind, name }: SignInWay) =>
    kind === "password" ? t("password") : kind === "service" ? (service ?? t("service")) : name;
  return (
    <>
      <ul className="max-w-[840px] border-t border-line">
        {items.map((way) => (
          <li
            key={way.id}
            className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line py-3"
          >
            <span className="min-w-0 flex-1 basis-64">
              <b className="break-words">{nameOf(way)}</b>
              <span className="block break-words text-dense text-muted">
                {way.kind === "service" && way.name !== "" ? `${way.name} · ` : ""}
                {way.isGood ? "" : `${t("notGood")} · `}
                {t("added")} <Age time={way.createdAt} />
                {way.usedAt === null ? null : (
                  <>
                    {" · "}
                    {t("used")} <Age time={way.usedAt} />
                  </>
                )}
              </span>
            </span>
            {way.isLast ? (
              <span className="text-dense">{t("last")}</span>
            ) : (
              <button
                type="button"
                className="btn btn-quiet btn-dense"
                aria-label={t("removeOf", { name: nameOf(way) })}
                disabled={remove.isPending}
                onClick={() => remove.mutate(way.id)}
              >
                {t("remove")}
              </button>
            )}
          </li>
        ))}
      </ul>
      {remove.isError ? <ErrorNote title={t("failed")} error={remove.error} /> : null}
      {link.isError ? <ErrorNote title={t("failed")} error={link.error} /> : null}
      {service && !items.some(({ kind, isGood }) => kind === "service" && isGood) ? (
        <form className="mt-4 grid max-w-96 gap-4" onSubmit={submitOnce(link)}>
          {field}
          <button
            type="submit"
            className="btn justify-self-start"
            disabled={link.isPending || link.isSuccess}
          >
            {t("link", { name: service })}
          </button>
        </form>
      ) : null}
      {hasPasskeys ? <NewPasskeyForm /> : null}
    </>
  );
}
