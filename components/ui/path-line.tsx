import Link from "next/link";
import { useTranslations } from "next-intl";
import { Fragment } from "react";

interface Station {
  readonly label: string;
  readonly href?: string | undefined;
  readonly mono?: boolean;
}

/** The model, the artifact, the board and the endpoint. */
export type Stations = readonly [Station, Station, Station, Station];

const names = ["model", "artifact", "board", "endpoint"] as const;

/**
 * model → artifact → board → endpoint, as one thin line: where you are, and the way to the rest. On a phone only the present station
 * has its label, so that it is never cut off; the others are links as large as their dots allow.
 */
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
  const t = useTranslations("ui.path");
  return (
    <nav aria-label={t("name")} className="relative mb-6 pb-1">
      <ol className="flex max-w-[820px] items-center py-1 pl-1 text-dense">
        {stations.map((station, index) => (
          <Fragment key={names[index]}>
            {index === 0 ? null : (
              <li
                aria-hidden="true"
                className="mx-3 h-px min-w-3 flex-1 bg-line-strong max-tablet:mx-1"
              />
            )}
            <li className="flex min-w-0 max-w-[60%]">
              <StationMark
                station={station}
                name={t(names[index] ?? "model")}
                isHere={index === here}
                isDone={index < done}
              />
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  );
}

interface StationMarkProps {
  readonly station: Station;
  readonly name: string;
  readonly isHere: boolean;
  readonly isDone: boolean;
}

function StationMark({ station: { label, href, mono }, name, isHere, isDone }: StationMarkProps) {
  const dot = isHere
    ? "border-accent bg-accent shadow-[0_0_0_4px_color-mix(in_srgb,var(--accent)_18%,transparent)]"
    : isDone
      ? "border-line-strong bg-line-strong"
      : "border-line-strong bg-bg";
  const inside = (
    <>
      <i aria-hidden="true" className={`size-2.5 flex-none rounded-full border-[1.5px] ${dot}`} />
      <span className="sr-only">{name}: </span>
      <span
        title={label}
        className={`max-w-52 min-w-0 truncate ${mono ? "font-mono" : ""} ${
          isHere ? "" : "max-tablet:sr-only"
        }`}
      >
        {label}
      </span>
    </>
  );
  const place = "flex min-h-6 min-w-6 items-center justify-center gap-2 whitespace-nowrap";
  if (isHere)
    return (
      <span aria-current="step" className={`${place} font-strong`}>
        {inside}
      </span>
    );
  if (href === undefined) return <span className={`${place} text-muted`}>{inside}</span>;
  return (
    <Link href={href} className={place}>
      {inside}
    </Link>
  );
}
