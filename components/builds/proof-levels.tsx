import { useTranslations } from "next-intl";
import { formatCount } from "@/components/ui";
import type { ProvenLevel } from "@/lib/common/contract";

/** What of a firmware was held against its quantised model, and what was not. */
export function ProofLevels({ levels }: { levels: readonly ProvenLevel[] }) {
  const t = useTranslations("builds.proof");
  const isBitstreamProven = levels.some(({ level }) => level === "bitstream");
  return (
    <>
      <dl className="mt-1 grid grid-cols-[1fr_auto] gap-x-3 text-dense">
        {levels.map(({ level, vectors }) => (
          <div key={level} className="contents">
            <dt className="text-muted">{t(level)}</dt>
            <dd className="text-right">
              {t("vectors", { count: vectors, shown: formatCount(vectors) })}
            </dd>
          </div>
        ))}
      </dl>
      <p className="text-label text-muted">
        {isBitstreamProven ? t("bitstreamProven") : t("netlistProven")}
      </p>
    </>
  );
}
