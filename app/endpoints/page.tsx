import type { Metadata } from "next";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { EndpointsList } from "@/components/endpoints";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("endpoints.page"))("title") };
}

export default async function EndpointsPage() {
  const t = await getTranslations("endpoints.page");
  return (
    <>
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-3">
        <h1>{t("title")}</h1>
        <Link className="btn btn-primary" href="/deploy">
          {t("deploy")}
        </Link>
      </div>
      <EndpointsList />
    </>
  );
}
