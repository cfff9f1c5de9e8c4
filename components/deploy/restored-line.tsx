import { useTranslations } from "next-intl";

/** Says that what was filled in before is there again, and offers to begin anew. */
export function RestoredLine({ onRestart }: { onRestart: () => void }) {
  const t = useTranslations("deploy.restored");
  return (
    <p className="mb-4 text-dense" role="status">
      {t("text")}{" "}
      <button type="button" className="min-h-6 text-accent hover:underline" onClick={onRestart}>
        {t("anew")}
      </button>
    </p>
  );
}
