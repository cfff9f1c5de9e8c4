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
} from "@/components/ui";
import type { EqualBuilds } from "@/lib/common/contract";

/** What a design is expected to take and to need, each with its band. */
export function ForecastFigures({
  guess,
  builds,
  timed,
  equal,
}: ReturnType<typeof learn> & { readonly equal: EqualBuilds | null }) {
  const { cycles, linkMicroseconds } = guess;
  return (
    <>
      <div className="flex items-end justify-between gap-3">
        <span className="text-big leading-tight font-strong text-copper">
          {formatCount(cycles.expected)}
        </span>
        <span className="pb-1.5 text-dense text-muted">
          <Term id="cycle">cycles</Term> ± {formatCount(cycles.high - cycles.expected)}
        </span>
      </div>
      <p className="mb-4 text-dense text-muted">
        <Amount {...quantityOfNs(guess.microseconds * 1000)} /> at {formatMhz(guess.clockHz)},{" "}
        {guess.form}
      </p>
      <EstimateBar term="lut" name="Logic cells" estimate={guess.lut} />
      <EstimateBar term="flipFlop" name="Flip-flops" estimate={guess.flipFlops} />
      <EstimateBar term="bram" name="Block RAM" estimate={guess.bramBlocks} />
      <EstimateBar term="dsp" name="Multipliers" estimate={guess.dsp} />
      {linkMicroseconds === null ? null : (
        <p className="flex justify-between text-dense">
          <span>Serial line, row and answer</span>
          <Amount {...quantityOfNs(linkMicroseconds * 1000)} />
        </p>
      )}
      <p className="flex justify-between text-dense">
        <span>Build</span>
        <BuildTime estimate={guess.buildSeconds} />
      </p>
      {guess.warning === undefined ? null : <p className="mt-2 text-dense">{guess.warning}</p>}
      <p className="mt-1 text-label text-muted">{sourceInWords({ builds, timed, equal })}</p>
    </>
  );
}

/** Where the figures come from: equal builds before alike ones, those before formulas. */
function sourceInWords({
  builds,
  timed,
  equal,
}: Pick<ReturnType<typeof learn>, "builds" | "timed"> & { readonly equal: EqualBuilds | null }) {
  const sizes =
    builds === 0
      ? "By formulas: few builds like it have ended here."
      : `Learnt from ${formatCount(builds)} builds like it here.`;
  if (equal?.seconds) {
    const many =
      equal.builds === 1 ? "the equal build" : `${formatCount(equal.builds)} equal builds`;
    const clock = equal.clock
      ? ` The newest reached ${formatDigits(equal.clock.achievedMhz)} MHz.`
      : "";
    return `Time, clock and cycles as ${many} here measured them.${clock} The rest: ${sizes.charAt(0).toLowerCase()}${sizes.slice(1)}`;
  }
  if (builds > 0 || timed === 0) return sizes;
  return `Sizes by formulas; time learnt from ${formatCount(timed)} ${timed === 1 ? "build" : "builds"} like it here.`;
}

/** Seconds, and minutes from two of them on. */
function BuildTime({ estimate: { expected, low, high } }: { estimate: Estimate }) {
  const isLong = expected >= 120;
  const show = (seconds: number) => (isLong ? (seconds / 60).toFixed(1) : String(seconds));
  return (
    <span>
      about <Amount value={show(expected)} unit={isLong ? "min" : "s"} />
      <span className="text-muted">
        , {show(low)} to {show(high)}
      </span>
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
