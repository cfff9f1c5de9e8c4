import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { CopyButton, Section } from "@/components/ui";
import { type NotificationEvent, notificationEvents, type Webhook } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import { addWebhook } from "./api";
import { EventChoice } from "./event-choice";
import { ReceiverRows } from "./receiver-rows";
import { useReceivers } from "./use-receivers";

/** Addresses that are told by POST, and how a receiver knows that it was us. */
export function WebhooksSection({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  const t = useTranslations("notifications");
  return (
    <Section title={t("webhooks.title")} id="webhooks">
      <p className="mb-3 max-w-[80ch] text-dense text-muted">
        {t.rich("webhooks.about", { code: (inner) => <code>{inner}</code> })}
      </p>
      {webhooks.length === 0 ? (
        <p className="mb-3 text-muted">{t("webhooks.none")}</p>
      ) : (
        <ReceiverRows
          kind="webhooks"
          receivers={webhooks.map(({ url, ...rest }) => ({ ...rest, address: url }))}
        />
      )}
      <NewWebhook />
    </Section>
  );
}

function NewWebhook() {
  const t = useTranslations("notifications");
  const id = useId();
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<readonly NotificationEvent[]>(notificationEvents);
  const { again } = useReceivers("webhooks");
  const add = useMutation({
    mutationFn: () => addWebhook({ url: url.trim(), events: [...events] }),
    onSuccess: () => {
      setUrl("");
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
          {t("webhooks.url")}
        </label>
        <input
          id={id}
          type="url"
          required
          maxLength={2048}
          placeholder="https://"
          className="field min-w-0 flex-1 basis-56 tablet:max-w-96"
          value={url}
          aria-invalid={add.isError}
          aria-describedby={add.isError ? `${id}-problem` : undefined}
          onChange={(event) => setUrl(event.target.value)}
        />
        <button type="submit" className="btn" disabled={add.isPending || events.length === 0}>
          {t("webhooks.add")}
        </button>
      </div>
      <EventChoice chosen={events} onChange={setEvents} />
      {add.isError ? (
        <p id={`${id}-problem`} role="alert" className="text-dense text-bad">
          {isAppError(add.error)
            ? [add.error.message, add.error.hint].filter(Boolean).join(" ")
            : t("failed")}
        </p>
      ) : null}
      {add.data ? <Secret secret={add.data.secret} /> : null}
    </form>
  );
}

/** The secret of a new webhook: it is never shown again. */
function Secret({ secret }: { readonly secret: string }) {
  const t = useTranslations("notifications");
  return (
    <div role="status" className="border-l-2 border-ok py-1 pl-4">
      <p>{t("webhooks.secretOnce")}</p>
      <p className="mt-1 flex flex-wrap items-center gap-2">
        <code className="break-all">{secret}</code>
        <CopyButton text={secret} label={t("webhooks.copySecret")} />
      </p>
    </div>
  );
}
