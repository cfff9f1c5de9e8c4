import { useTranslations } from "next-intl";
import { formatBytes } from "@/components/ui";

/** How much of the design has arrived. */
export function DownloadBar({
  receivedBytes,
  sizeBytes,
}: {
  receivedBytes: number;
  sizeBytes: number;
}) {
  const t = useTranslations("simulate.download");
  const all = receivedBytes >= sizeBytes;
  return (
    <div className="mt-4 max-w-[480px]">
      <div
        role="progressbar"
        aria-label={t("label")}
        aria-valuemin={0}
        aria-valuemax={sizeBytes}
        aria-valuenow={receivedBytes}
        className="bar"
      >
        <i className="bar-fill" style={{ width: `${(receivedBytes / sizeBytes) * 100}%` }} />
      </div>
      <p className="mt-1 text-dense text-muted">
        {all
          ? t("checking")
          : t("progress", { received: formatBytes(receivedBytes), size: formatBytes(sizeBytes) })}
      </p>
    </div>
  );
}
