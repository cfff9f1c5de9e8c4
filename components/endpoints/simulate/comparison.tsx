import { formatCount, ToneIcon } from "@/components/ui";
import type { CoreAnswer } from "@/simulator/run";
import type { Prediction, Refusal } from "../request/predict";
import { type ComparedValue, compareRow } from "./compare";
import { type CoreManifest, readAnswer } from "./rows";

const mostValues = 200;

/** The design's answer beside the endpoint's, and its cycles beside the schedule's. */
export function Comparison({
  manifest,
  answer,
  endpointAnswer,
  row,
  labels,
}: {
  manifest: CoreManifest;
  answer: CoreAnswer;
  /** What the endpoint answered to the request that holds this row. */
  endpointAnswer: Prediction | Refusal | null;
  row: number;
  labels: readonly string[] | undefined;
}) {
  const outputs = endpointAnswer?.ok ? endpointAnswer.outputs : null;
  const values = compareRow(readAnswer(manifest, answer.output), outputs, row);
  const isAlone = manifest.io.outputs.length === 1;
  // On a phone the label alone names a value.
  const narrow = labels && isAlone ? "max-tablet:hidden" : "";
  return (
    <section aria-label="Answer of the design" className="mt-5">
      <div className="flex flex-wrap gap-x-10 gap-y-1">
        <Verdict values={values} endpointAnswer={endpointAnswer} />
        <Cycles cycles={answer.cycles} core={manifest.core} />
      </div>
      <section
        aria-label="Values"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        className="mt-2 max-h-[440px] max-w-[640px] overflow-auto"
      >
        <table className="table text-dense">
          <thead>
            <tr>
              <th className={narrow}>{isAlone ? (values[0]?.output ?? "Output") : "Output"}</th>
              {labels ? <th>Label</th> : null}
              <th className="num">This page</th>
              <th className="num">Endpoint</th>
            </tr>
          </thead>
          <tbody>
            {values.slice(0, mostValues).map(({ output, index, here, there, equal }) => (
              <tr key={`${output} ${index}`}>
                <td className={`font-mono ${narrow}`}>{isAlone ? index : `${output}[${index}]`}</td>
                {labels ? <td className="font-mono">{labels[index] ?? <Unknown />}</td> : null}
                <td className="num font-mono">{here}</td>
                <td className={`num font-mono ${equal === false ? "text-bad" : ""}`}>
                  {there ?? <Unknown />}
                  {equal === false ? " ≠" : ""}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {values.length > mostValues ? (
        <p className="mt-1 text-dense text-muted">
          {formatCount(values.length - mostValues)} more values were compared.
        </p>
      ) : null}
    </section>
  );
}

const Unknown = () => <span className="text-muted">–</span>;

function Verdict({
  values,
  endpointAnswer,
}: {
  values: readonly ComparedValue[];
  endpointAnswer: Prediction | Refusal | null;
}) {
  const known = values.filter(({ equal }) => equal !== null);
  const different = known.filter(({ equal }) => equal === false).length;
  if (endpointAnswer?.ok === false) {
    return (
      <p className="flex items-baseline gap-2 text-muted">
        <ToneIcon tone="info" />
        The endpoint did not answer: {endpointAnswer.message}
      </p>
    );
  }
  if (known.length < values.length) {
    return <p className="text-muted">Not compared: the endpoint has not answered this row.</p>;
  }
  return different === 0 ? (
    <p className="flex items-baseline gap-2">
      <ToneIcon tone="ok" />
      <span>
        <b>Equal bit for bit</b> to the endpoint’s answer
      </span>
    </p>
  ) : (
    <p className="flex items-baseline gap-2">
      <ToneIcon tone="bad" />
      <span>
        <b>
          {formatCount(different)} of {formatCount(values.length)} values differ
        </b>{" "}
        from the endpoint’s answer
      </span>
    </p>
  );
}

function Cycles({ cycles, core }: { cycles: number; core: CoreManifest["core"] }) {
  const planned = core.latencyCycles;
  if (core.latencyVaries) {
    return (
      <p>
        <b className="text-copper">{formatCount(cycles)} cycles</b>, at most {formatCount(planned)}
      </p>
    );
  }
  return (
    <p>
      <b className="text-copper">{formatCount(cycles)} cycles</b>
      {cycles === planned ? ", as scheduled" : `, scheduled were ${formatCount(planned)}`}
    </p>
  );
}
