import { useTranslations } from "next-intl";
import { formatCount, ToneIcon } from "@/components/ui";
import { countElements } from "../answer/count-elements";

/** Says how much of a request the firmware could not hold; nothing where it held all. */
export function ClippedNote({ clipped, request }: { clipped: number; request: string }) {
  const t = useTranslations("predictions");
  if (clipped === 0) return null;
  const all = countElements(request);
  const values = { clipped, shown: formatCount(clipped) };
  return (
    <p
      role="status"
      className="mb-4 flex items-baseline gap-2 border-l-2 border-warn py-1 pl-4 text-dense"
    >
      <ToneIcon tone="warn" />
      <span>
        {all === null ? t("clipped", values) : t("clippedOf", { ...values, all: formatCount(all) })}
      </span>
    </p>
  );
}
