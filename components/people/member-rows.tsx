import { Dialog } from "@base-ui/react/dialog";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Age, ErrorNote, LinkNote, notify, TypedConfirmation } from "@/components/ui";
import { type Member, type Role, roles } from "@/lib/common/contract";
import { changeRole, makePasswordLink, membersQuery, removeMember } from "./api";

/** Every member: who, with which role, and when they were last here. */
export function MemberRows({
  members,
  mayChange,
  runsAll,
}: {
  readonly members: readonly Member[];
  readonly mayChange: boolean;
  /** Whether whoever looks runs this Boardwalk. */
  readonly runsAll: boolean;
}) {
  const t = useTranslations("people");
  const [removing, setRemoving] = useState<Member | null>(null);
  const link = useMutation({ mutationFn: ({ id }: Member) => makePasswordLink(id) });
  return (
    <>
      <ul className="max-w-[840px] border-t border-line">
        {members.map((member) => (
          <li
            key={member.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3"
          >
            <span className="min-w-0 flex-1 basis-64">
              <b className="break-words">{member.name}</b>{" "}
              {member.isYou ? (
                <span className="text-dense text-muted">{t("members.you")}</span>
              ) : null}
              <span className="block text-dense break-words text-muted">
                {member.email} ·{" "}
                {member.seenAt === null ? (
                  t("members.notSeen")
                ) : (
                  <>
                    {t("members.seen")} <Age time={member.seenAt} />
                  </>
                )}
                {member.isAdmin ? ` · ${t("members.runs")}` : ""}
              </span>
            </span>
            {mayChange && !member.isYou ? (
              <>
                <RoleChoice member={member} />
                {runsAll ? (
                  <button
                    type="button"
                    className="btn btn-quiet btn-dense"
                    aria-label={t("reset.makeOf", { name: member.name })}
                    disabled={link.isPending}
                    onClick={() => link.mutate(member)}
                  >
                    {t("reset.make")}
                  </button>
                ) : null}
                <button
                  type="button"
                  className="btn btn-quiet btn-dense"
                  aria-label={t("members.removeOf", { name: member.name })}
                  onClick={() => setRemoving(member)}
                >
                  {t("members.remove")}
                </button>
              </>
            ) : (
              <span className="text-dense">{t(`roles.${member.role}`)}</span>
            )}
          </li>
        ))}
      </ul>
      {link.isError ? <ErrorNote title={t("members.failed")} error={link.error} /> : null}
      {link.data ? (
        <div className="mt-4">
          <LinkNote
            title={t("reset.link", { name: link.variables.name })}
            text={t("reset.once")}
            url={link.data.url}
            onDone={() => link.reset()}
          />
        </div>
      ) : null}
      {removing ? <RemoveDialog member={removing} onClose={() => setRemoving(null)} /> : null}
    </>
  );
}

function RoleChoice({ member: { id, name, role } }: { readonly member: Member }) {
  const t = useTranslations("people");
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (wanted: Role) => changeRole(id, wanted),
    onSuccess: async (_, wanted) => {
      await client.invalidateQueries({ queryKey: membersQuery().queryKey });
      notify({
        title: t("members.changed", { name, role: t(`roles.${wanted}`) }),
        undo: async () => {
          await changeRole(id, role);
          await client.invalidateQueries({ queryKey: membersQuery().queryKey });
        },
      });
    },
  });
  return (
    <span>
      <select
        className="field"
        aria-label={t("members.roleOf", { name })}
        value={change.isPending ? change.variables : role}
        disabled={change.isPending}
        onChange={({ target }) => {
          const wanted = roles.find((each) => each === target.value);
          if (wanted) change.mutate(wanted);
        }}
      >
        {roles.map((each) => (
          <option key={each} value={each}>
            {t(`roles.${each}`)}
          </option>
        ))}
      </select>
      {change.isError ? <ErrorNote title={t("members.failed")} error={change.error} /> : null}
    </span>
  );
}

/** Takes somebody out of the project once their name was typed. */
function RemoveDialog({
  member: { id, name },
  onClose,
}: {
  readonly member: Member;
  readonly onClose: () => void;
}) {
  const t = useTranslations("people.members");
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => removeMember(id),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: membersQuery().queryKey });
      notify({ title: t("removed", { name }) });
      onClose();
    },
  });
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <TypedConfirmation
        title={t("removeTitle", { name })}
        words={name}
        verb={t("remove")}
        keep={t("keep")}
        problem={remove.isError ? <ErrorNote title={t("failed")} error={remove.error} /> : null}
        isPending={remove.isPending || remove.isSuccess}
        onConfirm={() => remove.mutate()}
      >
        {t("removeText")}
      </TypedConfirmation>
    </Dialog.Root>
  );
}
