"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { Loaded, Section, Skeleton } from "@/components/ui";
import { notificationsQuery } from "./api";
import { DeliveriesList } from "./deliveries-list";
import { MailSection } from "./mail-section";
import { WebhooksSection } from "./webhooks-section";

/** Who is told of builds that end: by e-mail, by webhook; and what was sent to whom. */
export function NotificationSettings() {
  const t = useTranslations("notifications");
  return (
    <>
      <p className="mb-8 max-w-[68ch] text-muted">{t("about")}</p>
      <Loaded
        query={useQuery(notificationsQuery())}
        loading={<Skeleton lines={6} height={28} />}
        failure={t("unreadable")}
      >
        {(settings) => (
          <>
            <MailSection settings={settings} />
            <WebhooksSection webhooks={settings.webhooks} />
          </>
        )}
      </Loaded>
      <Section title={t("deliveries.title")} id="deliveries">
        <DeliveriesList />
      </Section>
    </>
  );
}
