import { useTranslations } from "next-intl";
import { useState } from "react";
import { RevokeDialog } from "@/components/credentials";
import { Age, StateMark } from "@/components/ui";
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
              <span className="block text-dense">
                {wordsOfUse(token, t)}
                {token.requestsPerSecond === null
                  ? ""
                  : ` · ${t("perSecond", { count: token.requestsPerSecond })}`}
              </span>
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
      {revoking ? (
        <RevokeDialog
          name={revoking.name}
          queryKey={tokensQuery().queryKey}
          texts={{
            title: t("revokeTitle", { name: revoking.name }),
            text: t("revokeText"),
            revoke: t("revoke"),
            keep: t("keep"),
            revoked: t("revoked", { name: revoking.name }),
            failed: t("revokeFailed"),
          }}
          revoke={() => revokeToken(revoking.id)}
          onClose={() => setRevoking(null)}
        />
      ) : null}
    </>
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
