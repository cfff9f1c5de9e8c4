import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { NotificationSettings } from "@/components/notifications";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("notifications"))("title") };
}

export default async function NotificationsPage() {
  const t = await getTranslations("notifications");
  return (
    <>
      <h1 className="mb-2">{t("title")}</h1>
      <NotificationSettings />
    </>
  );
}
