import Link from "next/link";
import { Fragment } from "react";

interface Station {
  readonly label: string;
  readonly href?: string | undefined;
  readonly mono?: boolean;
}

/** The model, the artifact, the board and the endpoint. */
export type Stations = readonly [Station, Station, Station, Station];

const names = ["Model", "Artifact", "Board", "Endpoint"] as const;

/** model → artifact → board → endpoint, as one thin line: where you are, and the way to the rest. */
export function PathLine({
  stations,
  here,
  done,
}: {
  stations: Stations;
  here: 0 | 1 | 2 | 3;
  /** How many stations from the left are reached; those after are hollow. */
  done: number;
}) {
  return (
    <nav aria-label="From model to endpoint" className="relative mb-6 overflow-x-auto pb-1">
      <ol className="flex max-w-[820px] items-center py-1 pl-1 text-dense">
        {stations.map((station, index) => (
          <Fragment key={names[index]}>
            {index === 0 ? null : (
              <li aria-hidden="true" className="mx-3 h-px min-w-4 flex-1 bg-line-strong" />
            )}
            <li className="flex min-h-6 items-center gap-2 whitespace-nowrap">
              <i
                aria-hidden="true"
                className={`size-2.5 flex-none rounded-full border-[1.5px] ${
                  index === here
                    ? "border-accent bg-accent shadow-[0_0_0_4px_color-mix(in_srgb,var(--accent)_18%,transparent)]"
                    : index < done
                      ? "border-line-strong bg-line-strong"
                      : "border-line-strong bg-bg"
                }`}
              />
              <span className="sr-only">{names[index]}: </span>
              <StationLabel station={station} here={index === here} />
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  );
}

function StationLabel({ station, here }: { station: Station; here: boolean }) {
  const text = (
    <span
      className={`inline-block max-w-52 truncate align-bottom ${station.mono ? "font-mono" : ""}`}
    >
      {station.label}
    </span>
  );
  if (here)
    return (
      <span aria-current="step" className="font-strong">
        {text}
      </span>
    );
  if (station.href === undefined) return <span className="text-muted">{text}</span>;
  return <Link href={station.href}>{text}</Link>;
}
