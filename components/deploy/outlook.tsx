import { useTranslations } from "next-intl";
import { Amount, formatCount, quantityOfBytes } from "@/components/ui";
import type { Inspection } from "@/lib/common/contract";

/** What a build does, step by step, where no forecast can be shown. */
export function Outlook({
  facts,
  isFirmware,
  proves,
  boardName,
}: {
  facts: Inspection | undefined;
  isFirmware: boolean;
  /** Whether the engine proves what it makes. */
  proves: boolean;
  boardName: string | null;
}) {
  const t = useTranslations("deploy.outlook");
  const where = boardName ?? t("theBoard");
  return (
    <div className="mb-5">
      <h2 className="mb-2">{t("title")}</h2>
      {facts ? (
        <p className="mb-3 text-dense">
          {t.rich(facts.firmware ? "size" : "parameters", {
            count: formatCount(facts.parameters),
            size: () => <Amount {...quantityOfBytes(facts.sizeBytes)} />,
          })}
        </p>
      ) : null}
      <ol className="grid gap-2 text-dense">
        {stepsOf({ isFinished: facts?.firmware != null, isFirmware, proves }).map((step, index) => (
          <li key={step} className="grid grid-cols-[20px_1fr]">
            <span className="text-muted">{index + 1}</span>
            {t(step, { where })}
          </li>
        ))}
      </ol>
      {facts ? null : <p className="mt-3 text-dense text-muted">{t("giveModel")}</p>}
    </div>
  );
}

/** The steps from model to answers, each a text of `deploy.outlook`. */
function stepsOf(build: { isFinished: boolean; isFirmware: boolean; proves: boolean }) {
  if (build.isFinished) return ["firmwareFetched", "firmwareStored", "firmwareServes"] as const;
  if (!build.proves) return ["modelFetched", "madeElsewhere", "loadsServes"] as const;
  if (!build.isFirmware) return ["modelFetched", "cpuRun", "cpuServes"] as const;
  return ["integers", "circuit", "simulated", "proves"] as const;
}
