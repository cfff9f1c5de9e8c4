import type { useTranslations } from "next-intl";
import {
  formatCount,
  formatDuration,
  formatMhz,
  formatNs,
  formatShare,
  modelTitle,
  type ResourceName,
} from "@/components/ui";
import type { Build } from "@/lib/common/contract";
import { figuresOf } from "./compared";

/** One line of the table of compared builds. */
export interface Row {
  readonly label: string;
  /** One for each build; `–` for what is not known. */
  readonly cells: readonly { readonly text: string; readonly isBest: boolean }[];
  readonly differs: boolean;
}

/** Texts of a comparison. */
type Texts = ReturnType<typeof useTranslations<"builds.compare">>;

interface Quantity {
  readonly label: string;
  /** Whether a small or a large number is good; left out where neither is. */
  readonly good?: "less" | "more";
  readonly read: (build: Build) => number | null | undefined;
  readonly format: (value: number, build: Build) => string;
}

const notKnown = "–";

const quantities = (t: Texts, nameOf: ResourceName): readonly Quantity[] => [
  {
    label: t("rows.latency"),
    good: "less",
    read: (build) => figuresOf(build).latencyNs,
    format: formatNs,
  },
  {
    label: t("rows.cycles"),
    good: "less",
    read: ({ report }) => report?.latencyCycles,
    format: formatCount,
  },
  {
    label: t("rows.clock"),
    good: "more",
    read: ({ report }) => report?.clockHz,
    format: formatMhz,
  },
  {
    label: t("rows.reach"),
    good: "more",
    read: ({ report }) => report?.achievedMhz,
    format: (mhz) => `${mhz.toFixed(1)}\u2009MHz`,
  },
  ...["lut", "ff", "bram", "dsp"].map((id) => resource(id, nameOf({ id }), t)),
];

/** How near the first output of each build comes to the model; reports of one output say no more. */
const firstOutput = (t: Texts): readonly Quantity[] => [
  {
    label: t("rows.agreement"),
    good: "more",
    read: (build) => figuresOf(build).agreement,
    format: formatShare,
  },
  {
    label: t("rows.accuracy"),
    good: "more",
    read: ({ report }) => report?.proof?.accuracy,
    format: formatShare,
  },
  {
    label: t("rows.largest"),
    good: "less",
    read: ({ report }) => report?.proof?.maxAbsError,
    format: (value) => value.toPrecision(2),
  },
];

const buildTook = (t: Texts): Quantity => ({
  label: t("rows.took"),
  good: "less",
  read: durationMs,
  format: formatDuration,
});

/** The same of every output, where a build has several. */
function accuracyQuantities(builds: readonly Build[], t: Texts): readonly Quantity[] {
  const outputsOf = ({ report }: Build) => report?.accuracy?.outputs ?? [];
  if (builds.every((build) => outputsOf(build).length < 2)) return firstOutput(t);
  const names = new Set(builds.flatMap((build) => outputsOf(build).map(({ output }) => output)));
  return [...names].flatMap((name) => {
    const read = (build: Build) => outputsOf(build).find(({ output }) => output === name);
    return [
      {
        label: t("rows.agreementOf", { output: name }),
        good: "more",
        read: (build) => read(build)?.agreement,
        format: formatShare,
      },
      {
        label: t("rows.accuracyOf", { output: name }),
        good: "more",
        read: (build) => read(build)?.integerAccuracy,
        format: formatShare,
      },
      {
        label: t("rows.largestOf", { output: name }),
        good: "less",
        read: (build) => read(build)?.maxAbsError,
        format: (value) => value.toPrecision(2),
      },
    ] satisfies readonly Quantity[];
  });
}

function resource(id: string, label: string, t: Texts): Quantity {
  const entryOf = ({ report }: Build) => report?.resources.find((each) => each.id === id);
  return {
    label,
    good: "less",
    read: (build) => entryOf(build)?.used,
    format: (used, build) =>
      t("ofAvailable", {
        used: formatCount(used),
        available: formatCount(entryOf(build)?.available ?? 0),
      }),
  };
}

/** A build that took the artifact of another measured nothing. */
function durationMs({ reused, startedAt, endedAt }: Build): number | null {
  if (reused || startedAt === null || endedAt === null) return null;
  return Date.parse(endedAt) - Date.parse(startedAt);
}

const proofWords = ({ report }: Build, t: Texts): string => {
  const { vectors, mismatches, levels } = report?.proof ?? {};
  if (!vectors) return notKnown;
  if (mismatches)
    return t("proof.differ", { wrong: formatCount(mismatches), count: formatCount(vectors) });
  const held = levels?.map(({ level, vectors: count }) =>
    t(`proof.${level}`, { count: formatCount(count) }),
  );
  return t("proof.equal", { held: held?.join(", ") ?? formatCount(vectors) });
};

/** What was asked of each build, one row for every option that any of them was given. */
function optionRows(builds: readonly Build[], t: Texts): Row[] {
  const names = new Set(builds.flatMap(({ options = {} }) => Object.keys(options)));
  return [...names].sort().map((name) =>
    textRow(t("rows.option", { name }), builds, ({ options = {} }) => {
      const value = options[name];
      if (value === undefined || value === null) return t("asChosen");
      return typeof value === "object" ? JSON.stringify(value) : String(value);
    }),
  );
}

function textRow(label: string, builds: readonly Build[], of: (build: Build) => string): Row {
  const cells = builds.map((build) => ({ text: of(build), isBest: false }));
  return { label, cells, differs: new Set(cells.map(({ text }) => text)).size > 1 };
}

/** Whether all are of one model: between models, less or more of anything says nothing. */
export const areOfOneModel = (builds: readonly Build[]): boolean =>
  new Set(builds.map(({ modelUrl }) => modelUrl)).size < 2;

function quantityRow({ label, good, read, format }: Quantity, builds: readonly Build[]): Row[] {
  const values = builds.map((build) => read(build) ?? null);
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return [];
  const best = good === "less" ? Math.min(...known) : Math.max(...known);
  const differs = new Set(values).size > 1;
  // Best of what is alike, or of one, says nothing.
  const isMarked = good !== undefined && new Set(known).size > 1 && areOfOneModel(builds);
  const cells = builds.map((build, index) => {
    const value = values[index] ?? null;
    return {
      text: value === null ? notKnown : format(value, build),
      isBest: isMarked && value === best,
    };
  });
  return [{ label, cells, differs }];
}

/** What boards and resources are called. */
interface RowNames {
  readonly boardTitle: (build: Build) => string;
  readonly resourceName: ResourceName;
}

/** The rows of a comparison: what was asked, then what came of it. Rows that no build has are left out. */
export function rowsOf(
  builds: readonly Build[],
  { boardTitle, resourceName }: RowNames,
  t: Texts,
): Row[] {
  return [
    textRow(t("rows.model"), builds, ({ modelUrl, modelName }) => modelTitle(modelUrl, modelName)),
    textRow(t("rows.board"), builds, boardTitle),
    textRow(t("rows.engine"), builds, ({ engine }) => engine),
    ...optionRows(builds, t),
    ...[...quantities(t, resourceName), ...accuracyQuantities(builds, t), buildTook(t)].flatMap(
      (quantity) => quantityRow(quantity, builds),
    ),
    textRow(t("rows.proof"), builds, (build) => proofWords(build, t)),
  ];
}
