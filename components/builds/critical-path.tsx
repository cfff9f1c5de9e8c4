import { useTranslations } from "next-intl";
import type { CriticalPath } from "@/lib/common/contract";

/** What limits the clock: the slowest way between two registers, each signal a bar of wire and cells. */
export function CriticalPathDetails({ path }: { path: CriticalPath }) {
  const t = useTranslations("builds.path");
  const { totalNs, steps } = path;
  const routingNs = steps.reduce((sum, step) => sum + step.routingNs, 0);
  const share = (ns: number) => `${(100 * ns) / totalNs}%`;
  return (
    <details className="mt-1 text-dense">
      <summary className="cursor-pointer text-accent">
        {t("summary", {
          ns: totalNs.toFixed(1),
          share: String(Math.round((100 * routingNs) / totalNs)),
        })}
      </summary>
      <ol className="mt-2 grid gap-1.5">
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a signal may lie on the path twice
          <li key={index}>
            <span className="flex justify-between gap-2">
              <code className="truncate">
                {step.module === "top" ? "" : `${step.module}.`}
                {step.signal}
              </code>
              <span className="flex-none text-muted">
                {(step.routingNs + step.logicNs).toFixed(2)} ns
              </span>
            </span>
            <span className="mt-0.5 flex h-1" aria-hidden="true">
              <span className="bg-line" style={{ width: share(step.routingNs) }} />
              <span className="bg-copper" style={{ width: share(step.logicNs) }} />
            </span>
          </li>
        ))}
      </ol>
      <p className="mt-1 text-label text-muted">{t("legend")}</p>
    </details>
  );
}
