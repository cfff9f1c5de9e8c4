"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { findSettingsSection } from "@/components/settings";
import { shortId } from "@/components/ui";
import { places } from "./places";

/** Where a page below another one is, under the top bar; nothing on pages of the rail itself. */
export function Breadcrumb() {
  const t = useTranslations("shell");
  const [, first = "", second] = usePathname().split("/");
  const parent = places.find(({ href }) => href === `/${first}`);
  const here = useCrumb(first, second);
  if (!parent || here === null) return null;
  return (
    <nav aria-label={t("breadcrumb")} className="print:hidden px-4 pt-3 text-dense tablet:px-8">
      <ol className="flex flex-wrap items-center gap-2">
        <li>
          <Link href={parent.href} className="inline-flex min-h-6 items-center">
            {t(`places.${parent.name}`)}
          </Link>
        </li>
        <li aria-hidden="true" className="text-muted">
          /
        </li>
        <li aria-current="page" className="min-w-0 truncate text-muted">
          {here}
        </li>
      </ol>
    </nav>
  );
}

/** What a page is called below its parent; null: it has none. */
function useCrumb(first: string, second: string | undefined): string | null {
  const t = useTranslations("shell.crumbs");
  const sections = useTranslations("settings.sections");
  if (second === undefined || second === "") return null;
  const text = decode(second);
  if (first === "builds")
    return text === "compare" ? t("compare") : t("build", { id: shortId(text) });
  if (first === "models") return t("model");
  if (first === "boards") return t("board");
  if (first === "firmware") return t("firmware", { id: text.replace("sha256:", "").slice(0, 8) });
  if (first === "settings") {
    const section = findSettingsSection(text);
    return section ? sections(section) : null;
  }
  return text;
}

/** A part of an address as text; as it stands where it is no valid one. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
