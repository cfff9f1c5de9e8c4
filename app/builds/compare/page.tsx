import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { CompareView, idsOf } from "@/components/builds";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("builds.compare"))("title") };
}

export default async function ComparePage({
  searchParams,
}: {
  searchParams: Promise<{ ids?: string }>;
}) {
  const { ids } = await searchParams;
  const t = await getTranslations("builds.compare");
  return (
    <>
      <h1 className="mb-4">{t("title")}</h1>
      <CompareView ids={idsOf(ids)} />
    </>
  );
}
