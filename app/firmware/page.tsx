import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ImportArtifact } from "@/components/builds";
import { FirmwareList } from "@/components/firmware";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("firmware"))("title") };
}

export default async function FirmwarePage() {
  const t = await getTranslations("firmware");
  return (
    <>
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-3">
        <div>
          <h1>{t("title")}</h1>
          <p className="mt-1 max-w-[68ch] text-dense text-muted">{t("intro")}</p>
        </div>
        <ImportArtifact />
      </div>
      <FirmwareList />
    </>
  );
}
