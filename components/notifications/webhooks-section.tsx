import { useTranslations } from "next-intl";
import { CopyButton, Section } from "@/components/ui";
import type { Webhook } from "@/lib/common/contract";
import { addWebhook } from "./api";
import { NewReceiver } from "./new-receiver";
import { ReceiverRows } from "./receiver-rows";

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
      <NewReceiver
        kind="webhooks"
        label={t("webhooks.url")}
        verb={t("webhooks.add")}
        field={{ type: "url", maxLength: 2048, placeholder: "https://" }}
        onAdd={(url, events) => addWebhook({ url, events })}
        told={({ secret }) => <Secret secret={secret} />}
      />
    </Section>
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
