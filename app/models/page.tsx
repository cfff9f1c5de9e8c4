import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { AddModel, ModelsList } from "@/components/library";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("library"))("title") };
}

export default async function ModelsPage() {
  const t = await getTranslations("library");
  return (
    <>
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-3">
        <div>
          <h1>{t("title")}</h1>
          <p className="mt-1 max-w-[68ch] text-dense text-muted">{t("intro")}</p>
        </div>
        <AddModel />
      </div>
      <ModelsList />
    </>
  );
}
