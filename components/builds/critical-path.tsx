import { useTranslations } from "next-intl";
import { Picture } from "@/components/ui";
import type { CriticalPath } from "@/lib/common/contract";

/** What limits the clock: the slowest way between two registers, each signal a bar of wire and cells. */
export function CriticalPathDetails({ path }: { path: CriticalPath }) {
  const t = useTranslations("builds.path");
  const { totalNs, steps } = path;
  const routingNs = steps.reduce((sum, step) => sum + step.routingNs, 0);
  const share = (ns: number) => `${(100 * ns) / totalNs}%`;
  let sinceNs = 0;
  const rows = steps.map((step) => {
    sinceNs += step.routingNs + step.logicNs;
    return {
      ...step,
      name: step.module === "top" ? step.signal : `${step.module}.${step.signal}`,
      sinceNs,
    };
  });
  const inPercent = String(Math.round((100 * routingNs) / totalNs));
  return (
    <details className="mt-1 text-dense">
      <summary className="cursor-pointer text-accent">
        {t("summary", { ns: totalNs.toFixed(1), share: inPercent })}
      </summary>
      <div className="mt-2">
        <Picture
          title={t("finding", { ns: totalNs.toFixed(1), share: inPercent, steps: steps.length })}
          summary={t("legend")}
          file="critical-path"
          rows={rows}
          columns={[
            { id: "signal", label: t("signal"), value: ({ name }) => name },
            {
              id: "routingNs",
              label: t("wires"),
              value: (step) => step.routingNs,
              show: (step) => step.routingNs.toFixed(2),
            },
            {
              id: "logicNs",
              label: t("cellsNs"),
              value: (step) => step.logicNs,
              show: (step) => step.logicNs.toFixed(2),
            },
            {
              id: "sinceNs",
              label: t("since"),
              value: (step) => step.sinceNs,
              show: (step) => step.sinceNs.toFixed(2),
            },
          ]}
        >
          <ol className="grid gap-1.5">
            {rows.map((step, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a signal may lie on the path twice
              <li key={index} data-point={index}>
                <span className="flex justify-between gap-2">
                  <code className="truncate">{step.name}</code>
                  <span className="flex-none text-muted">
                    {(step.routingNs + step.logicNs).toFixed(2)} ns
                  </span>
                </span>
                <span className="mt-0.5 flex h-1">
                  <span
                    className="bg-line"
                    style={{
                      marginLeft: share(step.sinceNs - step.routingNs - step.logicNs),
                      width: share(step.routingNs),
                    }}
                  />
                  <span className="bg-copper" style={{ width: share(step.logicNs) }} />
                </span>
              </li>
            ))}
          </ol>
        </Picture>
      </div>
    </details>
  );
}
