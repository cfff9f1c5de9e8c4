import { useTranslations } from "next-intl";
import type { Build } from "@/lib/common/contract";

/** Of a board whose bitstream needs a vendor's tool: what there is instead, and where to get it. */
export function VendorProject({ build }: { build: Build }) {
  const t = useTranslations("builds.vendor");
  const tool = build.report?.bitstreamNeeds;
  if (tool === undefined || build.artifactDigest === null) return null;
  return (
    <section>
      <h2 className="label mb-1">{t("title")}</h2>
      <p>{t("needs", { tool })}</p>
      <p className="text-dense text-muted">{t("text")}</p>
      <a href={`/api/v1/artifacts/${build.artifactDigest}/files/project`} download>
        {t("download", { tool })}
      </a>
    </section>
  );
}
