import { useTranslations } from "next-intl";

/** Says that firmware is kept: a pin and the word. */
export function PinMark() {
  const t = useTranslations("firmware.pin");
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap text-dense" title={t("why")}>
      <svg width="10" height="12" viewBox="0 0 10 12" aria-hidden="true" className="flex-none">
        <path d="M3 1h4v4l2 2v1H1V7l2-2z" fill="currentColor" />
        <path d="M5 8v3.5" stroke="currentColor" strokeWidth="1.2" />
      </svg>
      {t("mark")}
    </span>
  );
}
