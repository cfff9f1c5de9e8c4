import {
  type BoardModel,
  clockLadder,
  getFamily,
  renderAddressMap,
  renderTop,
  type TopOptions,
} from "@/boards";
import { fail } from "@/lib/common/errors";
import type { PlanRequest } from "../engine";
import type { Choices } from "./choices";
import type { CoreDesign } from "./core-design";
import { type LinkDesign, linkOf } from "./link";
import { paths } from "./paths";
import { type BitstreamNeed, bitstreamNeed } from "./project";

/** A core on its board: how it is reached, what clocks it, and what makes its bitstream. */
export interface Design {
  readonly board: BoardModel;
  readonly choices: Choices;
  readonly made: CoreDesign;
  readonly link: LinkDesign;
  /** Of the serial link; null for what is behind AXI. */
  readonly baud: number | null;
  readonly need: BitstreamNeed;
  /** What the ladder tries, the highest first. */
  readonly clocksHz: readonly number[];
  /** Of a serial link; null for what is behind AXI. */
  readonly top: TopOptions | null;
  /** The board's own files, alike at every clock. */
  readonly boardFiles: ReadonlyMap<string, string>;
}

/** @throws {AppError} `OPTION_INVALID` where the board lacks the serial shell or the clock that was asked for. */
export function designOf(
  made: CoreDesign,
  {
    board,
    choices,
    toolVersions,
  }: Pick<PlanRequest, "board" | "toolVersions"> & { readonly choices: Choices },
): Design {
  const link = linkOf(board);
  if (!link) throw new RangeError("A supported board has a link.");
  if (link.kind !== "uart" && choices.simulate === "shell") {
    throw fail("OPTION_INVALID", `${board.name} has no serial shell to simulate.`, {
      field: "options.simulate",
      hint: "Leave it out: the core is simulated.",
    });
  }
  const baud = baudOf(board, link);
  const need = bitstreamNeed(board, toolVersions);
  const clocksHz = clocksFor(board, choices, made);
  const [highestHz] = clockLadder(board, getFamily(board.part).believedClockHz(board.part));
  const top =
    baud === null ? null : { board, baud, highestHz: Math.max(highestHz ?? 0, ...clocksHz) };
  const boardFiles = top
    ? renderTop(top)
    : new Map([[paths.registers, renderAddressMap(made.core)]]);
  return { board, choices, made, link, baud, need, clocksHz, top, boardFiles };
}

function baudOf({ links }: BoardModel, { kind }: LinkDesign): number | null {
  if (kind !== "uart") return null;
  return links.find((each) => each.kind === "uart")?.baud ?? null;
}

function clocksFor(
  board: BoardModel,
  { clockHz, isDaring = false }: Choices,
  { ownMultipliers, clockShare = 1 }: CoreDesign,
): readonly number[] {
  if (clockHz === undefined) {
    const family = getFamily(board.part);
    const believedHz = clockShare * family.believedClockHz(board.part, ownMultipliers);
    const higher = board.standardClocksHz.filter((hz) => hz > believedHz);
    return clockLadder(board, isDaring && higher.length > 0 ? Math.min(...higher) : believedHz);
  }
  if (board.standardClocksHz.includes(clockHz)) return [clockHz];
  const choices = board.standardClocksHz.map((hz) => `${hz / 1e6} MHz`).join(", ");
  throw fail("OPTION_INVALID", `${board.name} has no clock of ${clockHz} Hz.`, {
    field: "options.clockHz",
    hint: `Choose one of ${choices}.`,
  });
}
