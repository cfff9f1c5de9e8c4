"use client";

import dynamic from "next/dynamic";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { Section } from "@/components/ui";
import { Attachments } from "./attachments";
import { BoardsList } from "./boards-list";
import { CatalogueSection } from "./catalogue-section";
import { EnrolHost } from "./enrol-host";
import { Sightings } from "./sightings";

const LeasesSection = dynamic(
  () => import("@/components/leases").then((module) => module.LeasesSection),
  { ssr: false },
);

/** Boards that are here, drawn with what they hold; the ways to further ones; below, every board model known. */
export function BoardsPage() {
  const t = useTranslations("boards");
  return (
    <>
      <header className="mb-4 flex flex-wrap items-baseline justify-between gap-3">
        <h1>{t("title")}</h1>
        <Link href="#enrol" className="text-dense">
          {t("enrol.title")}
        </Link>
      </header>
      <BoardsList />
      <div className="mt-12">
        <Section title={t("leases")} id="leases">
          <LeasesSection />
        </Section>
        <Sightings />
        <Attachments />
        <EnrolHost />
        <CatalogueSection />
      </div>
    </>
  );
}
