import { useTranslations } from "next-intl";
import { useState } from "react";
import { RevokeDialog } from "@/components/credentials";
import { Age } from "@/components/ui";
import type { EndpointLink } from "@/lib/common/contract";
import { linksQuery, revokeLink } from "./api";

/** Links to an endpoint: for whom, until when, and when each was last used. */
export function LinkRows({
  endpoint,
  links,
}: {
  readonly endpoint: string;
  readonly links: readonly EndpointLink[];
}) {
  const t = useTranslations("links");
  const [revoking, setRevoking] = useState<EndpointLink | null>(null);
  return (
    <>
      <ul className="mb-4 max-w-[840px] border-t border-line">
        {links.map((link) => (
          <li
            key={link.id}
            className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line py-3"
          >
            <span className="min-w-0 flex-1 basis-64">
              <b className="break-words">{link.name}</b>
              <span className="block text-dense text-muted">
                {link.isExpired
                  ? t("expired", { day: link.expiresAt.slice(0, 10) })
                  : t("until", { day: link.expiresAt.slice(0, 10) })}{" "}
                ·{" "}
                {link.lastUsedAt === null ? (
                  t("never")
                ) : (
                  <>
                    {t("used")} <Age time={link.lastUsedAt} />
                  </>
                )}
                {link.requestsPerSecond === null
                  ? ""
                  : ` · ${t("perSecond", { count: link.requestsPerSecond })}`}
              </span>
            </span>
            <button
              type="button"
              className="btn btn-quiet btn-dense"
              aria-label={t("revokeOf", { name: link.name })}
              onClick={() => setRevoking(link)}
            >
              {t("revoke")}
            </button>
          </li>
        ))}
      </ul>
      {revoking ? (
        <RevokeDialog
          name={revoking.name}
          queryKey={linksQuery(endpoint).queryKey}
          texts={{
            title: t("revokeTitle", { name: revoking.name }),
            text: t("revokeText"),
            revoke: t("revoke"),
            keep: t("keep"),
            revoked: t("revoked", { name: revoking.name }),
            failed: t("revokeFailed"),
          }}
          revoke={() => revokeLink(endpoint, revoking.id)}
          onClose={() => setRevoking(null)}
        />
      ) : null}
    </>
  );
}
