"use client";

import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { CopyButton } from "./copy-button";

/** Copies the address of a part of a page. What is drawn after the page has come is scrolled to if the address names it. */
export function HeadingLink({ id, title }: { id: string; title: string | null }) {
  const t = useTranslations("ui.copy");
  useEffect(() => {
    if (window.location.hash === `#${id}`) document.getElementById(id)?.scrollIntoView();
  }, [id]);
  return (
    <CopyButton
      text={() => `${window.location.href.split("#")[0]}#${id}`}
      label={title === null ? t("section") : t("sectionNamed", { title })}
      className="inline-flex min-h-[24px] min-w-[24px] items-center justify-center self-center rounded-control text-label text-muted hover:text-accent print:hidden"
    >
      <svg
        width="14"
        height="14"
        viewBox="0 0 14 14"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinecap="round"
      >
        <path d="M6 8a2.4 2.4 0 0 0 3.4 0l2.1-2.1a2.4 2.4 0 0 0-3.4-3.4L7 3.6" />
        <path d="M8 6a2.4 2.4 0 0 0-3.4 0L2.5 8.1a2.4 2.4 0 0 0 3.4 3.4L7 10.4" />
      </svg>
    </CopyButton>
  );
}
