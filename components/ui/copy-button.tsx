"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";

/** Copies text and says so, in the button and to screen readers. */
export function CopyButton({
  text,
  children,
  label,
  className = "btn btn-quiet btn-dense",
}: {
  text: string | (() => string | Promise<string>);
  children?: ReactNode;
  /** What is copied, for those who do not see what stands beside it. */
  label?: string;
  className?: string;
}) {
  const t = useTranslations("ui.copy");
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), 2000);
    return () => clearTimeout(timer);
  }, [state]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : await text());
      setState("copied");
    } catch {
      setState("failed");
    }
  };

  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={label}
        onClick={() => {
          void copy();
        }}
      >
        {state === "copied"
          ? t("copied")
          : state === "failed"
            ? t("notCopied")
            : (children ?? t("copy"))}
      </button>
      <span role="status" className="sr-only">
        {state === "copied" ? t("copied") : ""}
      </span>
    </>
  );
}
