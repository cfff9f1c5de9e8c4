import { formatDigits, formatShare } from "@/components/ui";
import type { OutputAccuracy } from "@/lib/common/contract";

interface Column {
  readonly title: string;
  /** Null of an output that has none. */
  readonly read: (output: OutputAccuracy) => number | null;
  readonly format: (value: number) => string;
}

/** Those that no output has a value of are left out. */
const columns: readonly Column[] = [
  { title: "Same class as float", read: ({ agreement }) => agreement, format: formatShare },
  { title: "Right, in integers", read: (each) => each.integerAccuracy, format: formatShare },
  { title: "Right, in float", read: (each) => each.floatAccuracy, format: formatShare },
  { title: "Largest difference", read: (each) => each.maxAbsError, format: formatDigits },
  { title: "Mean difference", read: (each) => each.meanAbsError, format: formatDigits },
];

/** How near each of several outputs comes to the float model's; nothing for a model with one. */
export function OutputsTable({ outputs }: { outputs: readonly OutputAccuracy[] | undefined }) {
  if (!outputs || outputs.length < 2) return null;
  const shown = columns.filter(({ read }) => outputs.some((each) => read(each) !== null));
  return (
    <div className="mt-6 overflow-x-auto">
      <table className="table text-dense">
        <caption className="sr-only">How near each output comes to the float model</caption>
        <thead>
          <tr>
            <th scope="col">Output</th>
            {shown.map(({ title }) => (
              <th key={title} scope="col" className="num">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {outputs.map((each) => (
            <tr key={each.output}>
              <th scope="row">{each.output}</th>
              {shown.map(({ title, read, format }) => (
                <td key={title} className="num">
                  {shownOr(read(each), format)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const shownOr = (value: number | null, format: Column["format"]): string =>
  value === null ? "–" : format(value);
