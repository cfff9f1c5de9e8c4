import type { Metadata } from "next";
import Link from "next/link";
import { getTranslations } from "next-intl/server";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("shell.notFound"))("title") };
}

export default async function NotFound() {
  const t = await getTranslations("shell.notFound");
  return (
    <>
      <h1 className="mb-2">{t("title")}</h1>
      <p className="mb-4 max-w-[68ch] text-muted">{t("text")}</p>
      <Link className="btn" href="/">
        {t("home")}
      </Link>
    </>
  );
}
