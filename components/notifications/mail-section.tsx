import { useTranslations } from "next-intl";
import { Section } from "@/components/ui";
import type { Notifications } from "@/lib/common/contract";
import { addRecipient } from "./api";
import { NewReceiver } from "./new-receiver";
import { ReceiverRows } from "./receiver-rows";

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
      <NewReceiver
        kind="recipients"
        label={t("mail.address")}
        verb={t("mail.add")}
        field={{ type: "email", maxLength: 254, autoComplete: "email" }}
        onAdd={(address, events) => addRecipient({ address, events })}
      />
    </Section>
  );
}
