import { Dialog } from "@base-ui/react/dialog";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Age, ErrorNote, notify, TypedConfirmation } from "@/components/ui";
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
        <RevokeDialog endpoint={endpoint} link={revoking} onClose={() => setRevoking(null)} />
      ) : null}
    </>
  );
}

/** Revokes a link once its name was typed, since that cannot be undone. */
function RevokeDialog({
  endpoint,
  link: { id, name },
  onClose,
}: {
  readonly endpoint: string;
  readonly link: EndpointLink;
  readonly onClose: () => void;
}) {
  const t = useTranslations("links");
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => revokeLink(endpoint, id),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: linksQuery(endpoint).queryKey });
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
