import { useTranslations } from "next-intl";
import { useId } from "react";
import { type Loss, losses } from "./compared";

/** Half the width of a mark, in units of the drawing. */
export const markRadius = 8;

/** Colour and form of each loss, so that neither is needed to tell them apart. */
const looks = {
  none: { colour: "var(--hue-0)", path: "M-7 0a7 7 0 1 0 14 0a7 7 0 1 0 -14 0Z" },
  percent: { colour: "var(--hue-2)", path: "M0 -9L9 0L0 9L-9 0Z" },
  twentieth: { colour: "var(--hue-4)", path: "M-7 -7H7V7H-7Z" },
  more: { colour: "var(--hue-1)", path: "M0 -9L9 7H-9Z" },
  unknown: { colour: "var(--muted)", path: "M-3 -8H3V-3H8V3H3V8H-3V3H-8V-3H-3Z" },
} as const satisfies Record<Loss, { readonly colour: string; readonly path: string }>;

/** A build in a plot, around the origin. A faded one keeps its outline, which has to be seen. */
export function LossMark({ loss, isFaded = false }: { loss: Loss; isFaded?: boolean }) {
  const { colour, path } = looks[loss];
  return (
    <>
      <path d={path} fill="var(--bg)" />
      <path
        d={path}
        fill={colour}
        fillOpacity={isFaded ? 0.15 : 1}
        stroke={colour}
        strokeWidth={isFaded ? 1 : 2}
        strokeLinejoin="round"
      />
    </>
  );
}

/** What the marks of a plot say of agreement with the float model: those that are in it, the best first. */
export function LossLegend({ shown }: { shown: readonly Loss[] }) {
  const t = useTranslations("builds.compare.loss");
  const id = useId();
  return (
    <div className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-dense">
      <p className="text-muted" id={id}>
        {t("title")}
      </p>
      <ul className="flex flex-wrap gap-x-4 gap-y-1" aria-labelledby={id}>
        {losses
          .filter((loss) => shown.includes(loss))
          .map((loss) => (
            <li key={loss} className="flex items-center gap-1.5">
              <svg viewBox="-11 -11 22 22" width="14" height="14" aria-hidden="true">
                <LossMark loss={loss} />
              </svg>
              {t(loss)}
            </li>
          ))}
      </ul>
    </div>
  );
}
