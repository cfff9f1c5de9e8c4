import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { findSettingsSection, SettingsView, sharedSections } from "@/components/settings";
import { hasAccounts } from "@/lib/server/auth";

interface Props {
  readonly params: Promise<{ section: string }>;
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("settings"))("title") };
}

export default async function SettingsSectionPage({ params }: Props) {
  const section = findSettingsSection((await params).section);
  const isShared = hasAccounts();
  if (section === null || (!isShared && sharedSections.has(section))) notFound();
  return <SettingsView section={section} isShared={isShared} />;
}
