import { useTranslations } from "next-intl";
import { ToneIcon } from "@/components/ui";
import type { LackingTools } from "@/lib/common/contract";
import { lackValues } from "./tools-lack";

/** That a build would miss tools, and what brings them. The region stands though it is empty: what comes into it is read out. */
export function ToolsNotice({ engine, lack }: { engine: string; lack: LackingTools | null }) {
  const t = useTranslations("deploy.tools");
  return (
    <div role="status">
      {lack === null ? null : (
        <div className="mt-3 flex items-baseline gap-2 rounded-control border border-line bg-sunken px-3 py-2 text-dense">
          <ToneIcon tone="warn" />
          <p className="min-w-0 break-words">
            {t.rich("needs", {
              engine,
              ...lackValues(lack, t),
              b: (words) => <strong className="font-strong">{words}</strong>,
            })}
          </p>
        </div>
      )}
    </div>
  );
}
