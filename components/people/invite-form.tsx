import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { ErrorNote, LinkNote, submitOnce, TextField } from "@/components/ui";
import { type Role, roles } from "@/lib/common/contract";
import { invitationsQuery, invite } from "./api";

/** Makes a link that lets one person in, and shows it once. */
export function InviteForm() {
  const t = useTranslations("people");
  const id = useId();
  const client = useQueryClient();
  const [note, setNote] = useState("");
  const [role, setRole] = useState<Role>("builder");
  const send = useMutation({
    mutationFn: () => invite({ note: note.trim(), role }),
    onSuccess: () => {
      setNote("");
      void client.invalidateQueries({ queryKey: invitationsQuery().queryKey });
    },
  });
  if (send.data)
    return (
      <LinkNote
        title={t("invitations.link", { name: send.data.note })}
        text={t("invitations.once")}
        url={send.data.url}
        onDone={() => send.reset()}
      />
    );
  return (
    <form className="grid max-w-[840px] gap-4" onSubmit={submitOnce(send)}>
      <TextField
        id={`${id}-note`}
        label={t("invitations.who")}
        hint={t("invitations.whoHint")}
        width="half"
        maxLength={80}
        autoComplete="off"
        value={note}
        onChange={setNote}
      />
      <fieldset>
        <legend className="label mb-1">{t("invitations.as")}</legend>
        {roles.map((each) => (
          <label key={each} className="flex min-h-7 items-baseline gap-3">
            <input
              type="radio"
              name={`${id}-role`}
              className="size-4 self-center accent-accent"
              checked={each === role}
              onChange={() => setRole(each)}
            />
            <span>
              {t(`roles.${each}`)}
              <span className="ml-2 text-dense text-muted">{t(`roleHints.${each}`)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {send.isError ? <ErrorNote title={t("invitations.notMade")} error={send.error} /> : null}
      <button
        type="submit"
        className="btn btn-primary justify-self-start"
        disabled={send.isPending}
        aria-busy={send.isPending}
      >
        {t("invitations.make")}
      </button>
    </form>
  );
}
