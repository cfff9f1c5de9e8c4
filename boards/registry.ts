import { AppError, fail } from "@/lib/common/errors";
import { boardEntries, partEntries, programmerEntries } from "./data";
import type { BoardEntry, BoardModel, Flow, Part, Programmer } from "./schema";

// JSON imports have wide types; the registry test parses every entry strictly, so that no browser has to.
const trusted = <Entry>(entries: readonly unknown[]) => entries as readonly Entry[];
const parts = new Map(trusted<Part>(partEntries).map((part) => [part.id, part]));
const programmers = new Map(trusted<Programmer>(programmerEntries).map((each) => [each.id, each]));
const models = new Map(trusted<BoardEntry>(boardEntries).map((entry) => [entry.id, join(entry)]));

/** What other projects call a board leads to it, too. */
const aliases = new Map(
  [...models.values()].flatMap((model) => (model.aliases ?? []).map((alias) => [alias, model])),
);

/** Families whose tools set-up always brings come first, then those that ask for them, CPUs, and what needs a vendor's. */
const flows: readonly Flow["kind"][] = [
  "icestorm",
  "trellis",
  "apicula",
  "oxide",
  "cpu",
  "vivado",
  "quartus",
];
/** A part with multipliers is the one to try first. */
const rank = ({ part }: BoardModel) =>
  flows.indexOf(part.flow.kind) * 2 + (part.resources.dsp > 0 ? 0 : 1);
const sorted: readonly BoardModel[] = [...models.values()].sort(
  (a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, "en"),
);

function join(entry: BoardEntry): BoardModel {
  const part = parts.get(entry.part);
  if (part === undefined) throw fail("INTERNAL", `board ${entry.id} names no known part`);
  const { programmer: use, ...rest } = entry;
  const programmer = use === null ? undefined : programmers.get(use.id);
  return {
    ...rest,
    part,
    programmer: use && programmer ? { ...programmer, args: use.args } : null,
  };
}

/** Every board model of the catalogue, the likeliest first. */
export function listBoardModels(): readonly BoardModel[] {
  return sorted;
}

/** A board model by its id or by what another project calls it, or null. Its own `id` is what to keep. */
export function findBoardModel(name: string): BoardModel | null {
  return models.get(name) ?? aliases.get(name) ?? null;
}

/** @throws {AppError} `not_found` / `BOARD_UNKNOWN` */
export function getBoardModel(id: string): BoardModel {
  const model = findBoardModel(id);
  if (model) return model;
  throw new AppError("not_found", `There is no board model "${id}".`, {
    reason: "BOARD_UNKNOWN",
    hint: "List the board models with GET /api/v1/board-models.",
  });
}
