import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Suspense } from "react";
import { type ErrorEntry, ErrorList } from "@/components/errors";
import { listReasons } from "@/lib/common/errors";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("errors");
  return { title: t("listTitle") };
}

export default async function ErrorsPage() {
  const t = await getTranslations("errors");
  const entries = listReasons().map(({ reason, group }): ErrorEntry => {
    const means = t(`reasons.${reason}.means`);
    const text = `${reason} ${means} ${t(`reasons.${reason}.cause`)}`.toLowerCase();
    return { reason, group, means, text };
  });
  const groups = [...new Set(listReasons().map(({ group }) => group))];
  return (
    <>
      <h1 className="mb-2">{t("listTitle")}</h1>
      <p className="mb-6 max-w-[68ch] text-muted">{t("intro")}</p>
      <Suspense>
        <ErrorList
          entries={entries}
          words={{
            search: t("search"),
            searchHint: t("searchHint"),
            clear: t("clear"),
            // Filled in by the browser, which alone knows what was searched for.
            none: t("none", { text: "{text}" }),
            groups: Object.fromEntries(groups.map((group) => [group, t(`groups.${group}`)])),
          }}
        />
      </Suspense>
    </>
  );
}
