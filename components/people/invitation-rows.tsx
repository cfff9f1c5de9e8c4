import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { Age, ErrorNote, StateMark } from "@/components/ui";
import type { Invitation } from "@/lib/common/contract";
import { invitationsQuery, withdraw } from "./api";

/** Invitations that nobody has taken: for whom, to which role, and until when. */
export function InvitationRows({ invitations }: { readonly invitations: readonly Invitation[] }) {
  const t = useTranslations("people");
  const client = useQueryClient();
  const takeBack = useMutation({
    mutationFn: withdraw,
    onSuccess: () => client.invalidateQueries({ queryKey: invitationsQuery().queryKey }),
  });
  return (
    <>
      <ul className="mb-6 max-w-[840px] border-t border-line">
        {invitations.map(({ id, note, role, invitedBy, createdAt, expiresAt, isExpired }) => (
          <li
            key={id}
            className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line py-3"
          >
            <span className="min-w-0 flex-1 basis-64">
              <b className="break-words">{note}</b>{" "}
              <span className="text-dense text-muted">{t(`roles.${role}`)}</span>
              <span className="block text-dense text-muted">
                {t("invitations.made")} <Age time={createdAt} />
                {invitedBy === null ? "" : ` ${t("invitations.by", { name: invitedBy })}`} ·{" "}
                {isExpired ? (
                  <StateMark
                    appearance={{ tone: "warn", label: t("invitations.expired"), why: "" }}
                  />
                ) : (
                  <>
                    {t("invitations.until")}{" "}
                    <time dateTime={expiresAt}>{expiresAt.slice(0, 10)}</time>
                  </>
                )}
              </span>
            </span>
            <button
              type="button"
              className="btn btn-quiet btn-dense"
              aria-label={t("invitations.takeBackOf", { name: note })}
              disabled={takeBack.isPending}
              onClick={() => takeBack.mutate(id)}
            >
              {t("invitations.takeBack")}
            </button>
          </li>
        ))}
      </ul>
      {takeBack.isError ? (
        <ErrorNote title={t("invitations.failed")} error={takeBack.error} />
      ) : null}
    </>
  );
}
