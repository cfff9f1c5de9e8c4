import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { Section } from "@/components/ui";
import {
  type NotificationEvent,
  type Notifications,
  notificationEvents,
} from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import { addRecipient } from "./api";
import { EventChoice } from "./event-choice";
import { ReceiverRows } from "./receiver-rows";
import { useReceivers } from "./use-receivers";

/** Who is told by e-mail, and whether any can be sent. */
export function MailSection({ settings }: { readonly settings: Notifications }) {
  const t = useTranslations("notifications");
  const { mailFrom, recipients } = settings;
  return (
    <Section title={t("mail.title")} id="mail">
      {mailFrom === null ? (
        <p className="mb-3 max-w-[80ch] border-l-2 border-warn py-1 pl-4 text-dense">
          {t.rich("mail.notSetUp", { code: (inner) => <code>{inner}</code> })}
        </p>
      ) : (
        <p className="mb-3 text-dense text-muted">{t("mail.from", { address: mailFrom })}</p>
      )}
      {recipients.length === 0 ? (
        <p className="mb-3 text-muted">{t("mail.nobody")}</p>
      ) : (
        <ReceiverRows kind="recipients" receivers={recipients} />
      )}
      <NewRecipient />
    </Section>
  );
}

function NewRecipient() {
  const t = useTranslations("notifications");
  const id = useId();
  const [address, setAddress] = useState("");
  const [events, setEvents] = useState<readonly NotificationEvent[]>(notificationEvents);
  const { again } = useReceivers("recipients");
  const add = useMutation({
    mutationFn: () => addRecipient({ address: address.trim(), events: [...events] }),
    onSuccess: () => {
      setAddress("");
      void again();
    },
  });
  return (
    <form
      className="mt-4 grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!add.isPending) add.mutate();
      }}
    >
      <div className="flex flex-wrap items-center gap-2">
        <label htmlFor={id} className="label">
          {t("mail.address")}
        </label>
        <input
          id={id}
          type="email"
          required
          maxLength={254}
          autoComplete="email"
          className="field min-w-0 flex-1 basis-56 tablet:max-w-96"
          value={address}
          aria-invalid={add.isError}
          aria-describedby={add.isError ? `${id}-problem` : undefined}
          onChange={(event) => setAddress(event.target.value)}
        />
        <button type="submit" className="btn" disabled={add.isPending || events.length === 0}>
          {t("mail.add")}
        </button>
      </div>
      <EventChoice chosen={events} onChange={setEvents} />
      {add.isError ? (
        <p id={`${id}-problem`} role="alert" className="text-dense text-bad">
          {isAppError(add.error) ? add.error.message : t("failed")}
        </p>
      ) : null}
    </form>
  );
}
