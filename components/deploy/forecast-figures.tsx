import { useTranslations } from "next-intl";
import type { ComponentProps } from "react";
import type { Estimate, learn } from "@/compiler/forecast";
import { Term } from "@/components/glossary";
import {
  Amount,
  formatCount,
  formatDigits,
  formatMhz,
  quantityOfNs,
  ResourceBar,
  useResourceName,
} from "@/components/ui";
import type { EqualBuilds } from "@/lib/common/contract";

/** What a design is expected to take and to need, each with its band. */
export function ForecastFigures({
  guess,
  builds,
  timed,
  equal,
}: ReturnType<typeof learn> & { readonly equal: EqualBuilds | null }) {
  const t = useTranslations("deploy.forecast");
  const nameOf = useResourceName();
  const { cycles, linkMicroseconds } = guess;
  return (
    <>
      <div className="flex items-end justify-between gap-3">
        <span className="text-big leading-tight font-strong text-copper">
          {formatCount(cycles.expected)}
        </span>
        <span className="pb-1.5 text-dense text-muted">
          {t.rich("cycles", {
            error: formatCount(cycles.high - cycles.expected),
            term: (words) => <Term id="cycle">{words}</Term>,
          })}
        </span>
      </div>
      <p className="mb-4 text-dense text-muted">
        {t.rich("at", {
          clock: formatMhz(guess.clockHz),
          form: guess.form,
          time: () => <Amount {...quantityOfNs(guess.microseconds * 1000)} />,
        })}
      </p>
      <EstimateBar term="lut" name={nameOf({ id: "lut" })} estimate={guess.lut} />
      <EstimateBar term="flipFlop" name={nameOf({ id: "ff" })} estimate={guess.flipFlops} />
      <EstimateBar term="bram" name={nameOf({ id: "bram" })} estimate={guess.bramBlocks} />
      <EstimateBar term="dsp" name={nameOf({ id: "dsp" })} estimate={guess.dsp} />
      {linkMicroseconds === null ? null : (
        <p className="flex justify-between text-dense">
          <span>{t("link")}</span>
          <Amount {...quantityOfNs(linkMicroseconds * 1000)} />
        </p>
      )}
      <p className="flex justify-between text-dense">
        <span>{t("build")}</span>
        <BuildTime estimate={guess.buildSeconds} />
      </p>
      {guess.warning === undefined ? null : <p className="mt-2 text-dense">{guess.warning}</p>}
      <p className="mt-1 text-label text-muted">{sourceInWords({ builds, timed, equal }, t)}</p>
    </>
  );
}

/** Where the figures come from: equal builds before alike ones, those before formulas. */
function sourceInWords(
  {
    builds,
    timed,
    equal,
  }: Pick<ReturnType<typeof learn>, "builds" | "timed"> & { readonly equal: EqualBuilds | null },
  t: ReturnType<typeof useTranslations<"deploy.forecast">>,
): string {
  if (equal?.seconds)
    return [
      t("equal", { count: equal.builds, shown: formatCount(equal.builds) }),
      ...(equal.clock ? [t("newest", { mhz: formatDigits(equal.clock.achievedMhz) })] : []),
      builds === 0 ? t("restFormulas") : t("restLearnt", { count: formatCount(builds) }),
    ].join(" ");
  if (builds > 0) return t("learnt", { count: formatCount(builds) });
  if (timed === 0) return t("formulas");
  return t("timed", { count: timed, shown: formatCount(timed) });
}

/** Seconds, and minutes from two of them on. */
function BuildTime({ estimate: { expected, low, high } }: { estimate: Estimate }) {
  const t = useTranslations("deploy.forecast");
  const isLong = expected >= 120;
  const show = (seconds: number) => (isLong ? (seconds / 60).toFixed(1) : String(seconds));
  return (
    <span>
      {t.rich("about", {
        low: show(low),
        high: show(high),
        amount: () => <Amount value={show(expected)} unit={isLong ? "min" : "s"} />,
        muted: (words) => <span className="text-muted">{words}</span>,
      })}
    </span>
  );
}

function EstimateBar({
  term,
  name,
  estimate,
}: {
  term: ComponentProps<typeof Term>["id"];
  name: string;
  estimate: Estimate;
}) {
  const { expected, low, high, available } = estimate;
  if (available === 0 && expected === 0) return null;
  const margin = high > expected ? (high - low) / 2 / Math.max(1, expected) : undefined;
  const words = <Term id={term}>{name}</Term>;
  return <ResourceBar guess name={words} used={expected} available={available} margin={margin} />;
}
