import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { findSettingsSection, SettingsView } from "@/components/settings";

interface Props {
  readonly params: Promise<{ section: string }>;
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("settings"))("title") };
}

export default async function SettingsSectionPage({ params }: Props) {
  const section = findSettingsSection((await params).section);
  if (section === null) notFound();
  return <SettingsView section={section} />;
}
