import {
  type Features,
  featuresSchema,
  type ModelCard,
  type NewRevision,
  rangeOfEach,
} from "@/lib/common/contract";

interface Said {
  /** Of a request. */
  readonly request: Pick<NewRevision, "features" | "inputRange">;
  readonly card: ModelCard | null;
}

/**
 * What is known of each value of a row: what the request says of it, else what the model's card does. A card's lists of another
 * length than the row are about something else, and so is a request's that is longer.
 *
 * @returns Null where nothing is known.
 */
export function featuresOf({ request, card }: Said, width: number): Features | null {
  const lists = {
    names: card?.featureNames,
    units: card?.featureUnits,
    ...card?.inputRange,
    ...(request.inputRange ? rangeOfEach(request.inputRange, width) : {}),
  };
  const known = Object.fromEntries(
    Object.entries(lists).filter(([, list]) => list?.length === width),
  ) as Features;
  const { features = [] } = request;
  // Whoever names the first of them need not name the rest.
  const given = features.length <= width ? features : [];
  const all = withGiven(
    known,
    Array.from({ length: width }, (_, at) => given[at] ?? {}),
  );
  return Object.keys(all).length === 0 ? null : featuresSchema.parse(all);
}

function withGiven(known: Features, given: NonNullable<NewRevision["features"]>): Features {
  const merged = <T>(own: readonly (T | undefined)[], list: readonly T[] | undefined, none: T) =>
    own.some((each) => each !== undefined)
      ? own.map((each, at) => each ?? list?.[at] ?? none)
      : list && [...list];
  const lists = {
    ...known,
    names: merged(
      given.map(({ name }) => name),
      known.names,
      "",
    ),
    units: merged(
      given.map(({ unit }) => unit),
      known.units,
      "",
    ),
    min: merged<number | null>(
      given.map(({ min }) => min),
      known.min,
      null,
    ),
    max: merged<number | null>(
      given.map(({ max }) => max),
      known.max,
      null,
    ),
  };
  return Object.fromEntries(
    Object.entries(lists).filter(([, list]) => list !== undefined),
  ) as Features;
}
