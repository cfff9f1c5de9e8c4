import { useTranslations } from "next-intl";
import type { LackingForecast } from "@/compiler/forecast";
import { ResourceBar, ToneIcon, useResourceName } from "@/components/ui";
import type { Fit } from "@/lib/common/contract";

/** How much is missing, resource by resource, and the nearest requests that would fit, to be taken over by a press. */
export function ForecastLack({
  guess: { lack, lacking, nearest },
  boardName,
  fits,
  onFit,
}: {
  guess: LackingForecast;
  boardName: string;
  fits: readonly Fit[];
  onFit: (fit: Fit) => void;
}) {
  const t = useTranslations("deploy.forecast");
  const nameOf = useResourceName();
  return (
    <div className="border-l-2 border-bad py-1 pl-4 text-dense">
      <p className="flex items-baseline gap-2">
        <ToneIcon tone="bad" />
        <span>{t("wontFit", { board: boardName, lack })}</span>
      </p>
      {lacking.length > 0 ? (
        <div className="mt-2">
          {lacking.map(({ id, name, needed, available }) => (
            <ResourceBar
              guess
              key={id}
              name={nameOf({ id, name })}
              used={needed}
              available={available}
            />
          ))}
        </div>
      ) : null}
      {nearest ? (
        <p className="mt-1 text-muted">{t("nearest", { layers: nearest.join(" → ") })}</p>
      ) : null}
      {fits.length > 0 ? (
        <>
          <p className="mt-2 text-muted">{t("wouldFit")}</p>
          <p className="mt-1 flex flex-wrap gap-2">
            {fits.map((fit) => (
              <button
                key={fit.title}
                type="button"
                className="btn btn-dense btn-long"
                onClick={() => onFit(fit)}
              >
                {fit.title}
              </button>
            ))}
          </p>
        </>
      ) : null}
      <p className="mt-2 text-muted">{t("cpu")}</p>
    </div>
  );
}
