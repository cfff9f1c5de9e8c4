"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { ActivityList } from "@/components/activity";
import { NotificationSettings } from "@/components/notifications";
import { PreferenceQuestions } from "@/components/preferences";
import { Skeleton, TabLinks } from "@/components/ui";
import { AboutSection } from "./about-section";
import { ConnectionsSection } from "./connections-section";
import { DoctorSection } from "./doctor-section";
import type { SettingsSection } from "./settings-sections";
import { settingsSections, sharedSections } from "./settings-sections";
import { StorageSection } from "./storage-section";

/** Loaded when it is opened, and by the browser alone: the other parts do without its forms. */
const TokenSettings = dynamic(async () => (await import("@/components/tokens")).TokenSettings, {
  ssr: false,
  loading: () => <Skeleton lines={6} height={48} />,
});

const AuditLog = dynamic(async () => (await import("@/components/audit-log")).AuditLog, {
  ssr: false,
  loading: () => <Skeleton lines={12} height={28} />,
});
const QuotaSettings = dynamic(async () => (await import("@/components/quotas")).QuotaSettings, {
  ssr: false,
  loading: () => <Skeleton lines={6} height={48} />,
});
const ConnectionSettings = dynamic(
  async () => (await import("@/components/connections")).ConnectionSettings,
  { ssr: false, loading: () => <Skeleton lines={6} height={48} /> },
);
const AccountSettings = dynamic(async () => (await import("@/components/people")).AccountSettings, {
  ssr: false,
  loading: () => <Skeleton lines={6} height={48} />,
});
const PeopleSettings = dynamic(async () => (await import("@/components/people")).PeopleSettings, {
  ssr: false,
  loading: () => <Skeleton lines={6} height={48} />,
});

/** Everything about this installation that can be looked at, one address for each part. */
export function SettingsView({
  section,
  isShared,
}: {
  section: SettingsSection;
  isShared: boolean;
}) {
  const t = useTranslations("settings");
  return (
    <>
      <h1 className="mb-4">{t("title")}</h1>
      <TabLinks
        label={t("sectionsLabel")}
        current={section}
        tabs={settingsSections
          .filter((id) => isShared || !sharedSections.has(id))
          .map((id) => ({
            id,
            label: t(`sections.${id}`),
            href: `/settings/${id}`,
          }))}
      />
      <h2 className="sr-only">{t(`sections.${section}`)}</h2>
      <Part section={section} />
    </>
  );
}

function Part({ section }: { section: SettingsSection }) {
  const t = useTranslations("settings.appearance");
  switch (section) {
    case "appearance":
      return (
        <>
          <p className="mb-6 max-w-prose text-muted">{t("intro")}</p>
          <PreferenceQuestions />
        </>
      );
    case "account":
      return <AccountSettings />;
    case "people":
      return <PeopleSettings />;
    case "notifications":
      return <NotificationSettings />;
    case "tokens":
      return <TokenSettings />;
    case "activity":
      return <ActivityList />;
    case "quotas":
      return <QuotaSettings />;
    case "audit":
      return <AuditLog />;
    case "connections":
      return (
        <>
          <ConnectionSettings />
          <ConnectionsSection />
        </>
      );
    case "doctor":
      return <DoctorSection />;
    case "storage":
      return <StorageSection />;
    case "about":
      return <AboutSection />;
  }
}
