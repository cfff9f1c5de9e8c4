import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Suspense } from "react";
import { GlossaryList } from "@/components/glossary";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("glossary");
  return { title: t("title") };
}

export default async function GlossaryPage() {
  const t = await getTranslations("glossary");
  return (
    <>
      <h1 className="mb-2">{t("title")}</h1>
      <p className="mb-6 max-w-[68ch] text-muted">{t("intro")}</p>
      <Suspense>
        <GlossaryList />
      </Suspense>
    </>
  );
}
