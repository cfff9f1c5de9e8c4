"use client";

import { formatCount, formatDigits, formatShare, Section } from "@/components/ui";
import { type Accuracy, isRangeAssumed } from "@/lib/common/contract";
import { ClippingBars } from "./clipping-bars";
import { ConfusionMap } from "./confusion-map";
import { OutputsTable } from "./outputs-table";
import { WorstRows } from "./worst-rows";

/** How near the integers of a firmware come to the model as it was given, on which rows, and where it goes wrong. */
export function AccuracySection({ accuracy }: { accuracy: Accuracy }) {
  const { confusion, clipping, worst, outputs } = accuracy;
  return (
    <Section title="How exact it is" id="accuracy">
      <p className="mb-4 max-w-[80ch] text-dense text-muted">
        {sourcesOf(accuracy)}
        {aboutFirst(outputs)}
      </p>
      {accuracy.test.shared > 0 ? (
        <p className="mb-4 max-w-[80ch] border-l-2 border-warn py-1 pl-4 text-dense">
          {formatCount(accuracy.test.shared)} of the {formatCount(accuracy.test.rows)} test rows are
          also among the rows to calibrate with: these numbers flatter the design.
        </p>
      ) : null}
      <Headline accuracy={accuracy} />
      <OutputsTable outputs={outputs} />
      <div className="mt-6 grid gap-x-12 gap-y-8 desk:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        {confusion ? <ConfusionMap confusion={confusion} /> : null}
        <ClippingBars clipping={clipping} />
      </div>
      <WorstRows worst={worst} classes={confusion?.classes ?? []} />
    </Section>
  );
}

function Headline({ accuracy }: { accuracy: Accuracy }) {
  const { agreement, floatAccuracy, integerAccuracy, maxAbsError } = accuracy;
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-4">
      {agreement === null ? null : (
        <Figure name="Same class as the float model" value={formatShare(agreement)} />
      )}
      {integerAccuracy === null ? null : (
        <Figure name="Right, in integers" value={formatShare(integerAccuracy)} />
      )}
      {floatAccuracy === null ? null : (
        <Figure name="Right, in float" value={formatShare(floatAccuracy)} />
      )}
      <Figure name="Largest difference of an answer" value={formatDigits(maxAbsError)} />
    </dl>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex flex-col-reverse">
      <dt className="text-dense text-muted">{name}</dt>
      <dd className="text-title font-strong">{value}</dd>
    </div>
  );
}

/** Of which output the figures, the classes and the rows are. */
const aboutFirst = (outputs: Accuracy["outputs"] = []): string =>
  outputs.length > 1
    ? ` Every output is in the table; everything else here is about the first, ${outputs[0]?.output}.`
    : "";

/** Which rows were used for what, in sentences. */
function sourcesOf({ calibration, test, labelled, agreement }: Accuracy): string {
  const tested = test.synthetic
    ? `Tested on ${formatCount(test.rows)} made-up rows, since no rows were given: real ones may do better or worse.`
    : `Tested on ${formatCount(test.rows)} rows of ${test.source}.`;
  const calibrated =
    calibration === null
      ? "The design needs no calibration."
      : calibration.synthetic
        ? `Ranges come from ${formatCount(calibration.rows)} made-up rows, ${isRangeAssumed(calibration) ? "with a scale that is " : "scaled by: "}${calibration.scaledBy}.`
        : `Ranges come from ${formatCount(calibration.rows)} rows of ${calibration.source}${test.shared === 0 ? ", none of them a test row" : ""}.`;
  const labels =
    labelled || agreement === null
      ? ""
      : " The rows have no labels, so it is known how often the design agrees with the float model, not how often either is right.";
  return `${tested} ${calibrated}${labels}`;
}
