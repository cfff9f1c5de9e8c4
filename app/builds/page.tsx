import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import {
  BuildsList,
  ImportArtifact,
  QueuePanel,
  TrendPanel,
  WorkerNotice,
} from "@/components/builds";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("builds"))("title") };
}

export default async function BuildsPage() {
  const t = await getTranslations("builds");
  return (
    <>
      <header className="mb-4 flex flex-wrap items-start justify-between gap-4">
        <h1>{t("title")}</h1>
        <ImportArtifact />
      </header>
      <WorkerNotice />
      <div className="mb-8 grid gap-x-10 gap-y-6 tablet:grid-cols-2 desk:grid-cols-[minmax(0,1fr)_300px_280px]">
        <TrendPanel />
        <QueuePanel />
      </div>
      <BuildsList />
    </>
  );
}
