"use client";

import Link from "next/link";
import { useTranslations } from "next-intl";
import { Shelf } from "@/components/boards";
import { WorkerNotice } from "@/components/builds";
import { Section } from "@/components/ui";
import { BuildStrip } from "./build-strip";
import { EndpointRows } from "./endpoint-rows";
import { FirstHour, FirstHourLink } from "./first-hour";
import { NeedsYou } from "./needs-you";

/** The first page: what is served, what waits for a person, and how to begin. */
export function Home() {
  const t = useTranslations("home");
  return (
    <>
      <section className="mb-12">
        <div className="mb-3 flex flex-wrap items-baseline justify-between gap-3">
          <h1>{t("title")}</h1>
          <Link className="btn btn-primary" href="/deploy">
            {t("deploy")}
          </Link>
        </div>
        <NeedsYou />
        <Shelf />
      </section>
      <WorkerNotice />
      <FirstHour />
      <Section
        title={t("endpoints")}
        aside={
          <Link className="text-dense" href="/endpoints">
            {t("allEndpoints")}
          </Link>
        }
      >
        <EndpointRows />
      </Section>
      <Section
        title={t("builds")}
        aside={
          <Link className="text-dense" href="/builds">
            {t("allBuilds")}
          </Link>
        }
      >
        <BuildStrip />
      </Section>
      <FirstHourLink />
    </>
  );
}
