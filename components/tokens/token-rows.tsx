import { Dialog } from "@base-ui/react/dialog";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Age, ErrorNote, notify, StateMark, TypedConfirmation } from "@/components/ui";
import type { Token } from "@/lib/common/contract";
import { revokeToken, tokensQuery } from "./api";

/** Every token: what it is good for, until when, and when and from where it was last used. */
export function TokenRows({ tokens }: { readonly tokens: readonly Token[] }) {
  const t = useTranslations("tokens");
  const [revoking, setRevoking] = useState<Token | null>(null);
  return (
    <>
      <ul className="max-w-[840px] border-t border-line">
        {tokens.map((token) => (
          <li
            key={token.id}
            className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line py-3"
          >
            <span className="min-w-0 flex-1 basis-64">
              <b className="break-words">{token.name}</b>{" "}
              <span className="text-dense text-muted">
                {t("endsWith", { ending: token.ending })}
              </span>
              <span className="block text-dense">{wordsOfUse(token, t)}</span>
              <span className="block text-dense text-muted">
                <Times token={token} />
              </span>
            </span>
            <button
              type="button"
              className="btn btn-quiet btn-dense"
              aria-label={t("revokeOf", { name: token.name })}
              onClick={() => setRevoking(token)}
            >
              {t("revoke")}
            </button>
          </li>
        ))}
      </ul>
      {revoking ? <RevokeDialog token={revoking} onClose={() => setRevoking(null)} /> : null}
    </>
  );
}

/** Revokes a token once its name was typed, since that cannot be undone. */
function RevokeDialog({
  token: { id, name },
  onClose,
}: {
  readonly token: Token;
  readonly onClose: () => void;
}) {
  const t = useTranslations("tokens");
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => revokeToken(id),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: tokensQuery().queryKey });
      notify({ title: t("revoked", { name }) });
      onClose();
    },
  });
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <TypedConfirmation
        title={t("revokeTitle", { name })}
        words={name}
        verb={t("revoke")}
        keep={t("keep")}
        problem={
          revoke.isError ? <ErrorNote title={t("revokeFailed")} error={revoke.error} /> : null
        }
        isPending={revoke.isPending || revoke.isSuccess}
        onConfirm={() => revoke.mutate()}
      >
        {t("revokeText")}
      </TypedConfirmation>
    </Dialog.Root>
  );
}

function wordsOfUse(
  { scopes, endpoints }: Token,
  t: ReturnType<typeof useTranslations<"tokens">>,
): string {
  const good = scopes.map((scope) => t(`scopeNames.${scope}`)).join(", ");
  if (endpoints === null) return good;
  if (endpoints.length === 0) return `${good} ${t("noEndpoint")}`;
  return `${good} ${t("for", { names: endpoints.join(", ") })}`;
}

function Times({ token }: { readonly token: Token }) {
  const t = useTranslations("tokens");
  const { createdAt, expiresAt, isExpired, lastUsedAt, lastUsedFrom } = token;
  const isHere = lastUsedFrom !== null && /^(127\.|0:0:0::)/.test(lastUsedFrom);
  return (
    <>
      {t("made")} <Age time={createdAt} /> ·{" "}
      {isExpired ? (
        <StateMark appearance={{ tone: "warn", label: t("expired"), why: "" }} />
      ) : (
        <>
          {t("expiresAt")} <time dateTime={expiresAt}>{expiresAt.slice(0, 10)}</time>
        </>
      )}{" "}
      ·{" "}
      {lastUsedAt === null ? (
        t("never")
      ) : (
        <>
          {t("used")} <Age time={lastUsedAt} />
          {lastUsedFrom === null
            ? ""
            : ` ${t("from", { place: isHere ? t("thisMachine") : lastUsedFrom })}`}
        </>
      )}
    </>
  );
}
