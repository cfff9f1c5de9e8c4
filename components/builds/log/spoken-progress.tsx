import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import type { LogFold } from "@/lib/common/contract";

const speakEveryMs = 10_000;

/** Speaks the present stage and new errors to screen readers, at most once per ten seconds. */
export function SpokenProgress({
  folds,
  running,
}: {
  folds: readonly LogFold[];
  running: boolean;
}) {
  const t = useTranslations("builds.log");
  const errors = folds.reduce((sum, fold) => sum + fold.errors, 0);
  const stage = folds.at(-1)?.stage;
  const latest =
    running && stage ? `${stage}${errors > 0 ? `, ${t("errors", { count: errors })}` : ""}` : "";
  const said = useRef({ text: "", at: 0 });
  const [spoken, setSpoken] = useState("");
  useEffect(() => {
    if (latest === said.current.text) return;
    const wait = Math.max(0, said.current.at + speakEveryMs - Date.now());
    const timer = setTimeout(() => {
      said.current = { text: latest, at: Date.now() };
      setSpoken(latest);
    }, wait);
    return () => clearTimeout(timer);
  }, [latest]);
  return (
    <p aria-live="polite" className="sr-only">
      {spoken}
    </p>
  );
}
