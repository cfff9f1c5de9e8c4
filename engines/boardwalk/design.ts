import {
  type BoardModel,
  clockLadder,
  getFamily,
  renderAddressMap,
  renderTop,
  type TopOptions,
} from "@/boards";
import { corePortOf } from "@/lib/common/core-io";
import { fail } from "@/lib/common/errors";
import type { Plan, PlanRequest } from "../engine";
import type { Compiled } from "./compiled";

import { type LinkDesign, linkOf } from "./link";
import type { Options } from "./options";
import { paths } from "./paths";
import { type BitstreamNeed, bitstreamNeed } from "./project";

/** A compiled core on its board: how it is reached, what clocks it, and what makes its bitstream. */
export interface Design {
  readonly board: BoardModel;
  readonly options: Options;
  readonly compiled: Compiled;
  readonly link: LinkDesign;
  /** Of the serial link; null for what is behind AXI. */
  readonly baud: number | null;
  readonly core: NonNullable<Plan["core"]>;
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
  compiled: Compiled,
  {
    board,
    options,
    toolVersions,
  }: Pick<PlanRequest, "board" | "toolVersions"> & { readonly options: Options },
): Design {
  const link = linkOf(board);
  if (!link) throw new RangeError("A supported board has a link.");
  if (link.kind !== "uart" && options.simulate === "shell") {
    throw fail("OPTION_INVALID", `${board.name} has no serial shell to simulate.`, {
      field: "options.simulate",
      hint: "Leave it out: the core is simulated.",
    });
  }
  const baud = baudOf(board, link);
  const need = bitstreamNeed(board, toolVersions);
  const core = corePortOf(compiled.graph, compiled.latencyCycles);
  const clocksHz = clocksFor(board, options, compiled.ownMultipliers);
  const [highestHz] = clockLadder(board, getFamily(board.part).believedClockHz(board.part));
  const top =
    baud === null ? null : { board, baud, highestHz: Math.max(highestHz ?? 0, ...clocksHz) };
  const boardFiles = top ? renderTop(top) : new Map([[paths.registers, renderAddressMap(core)]]);
  return { board, options, compiled, link, baud, core, need, clocksHz, top, boardFiles };
}

function baudOf({ links }: BoardModel, { kind }: LinkDesign): number | null {
  if (kind !== "uart") return null;
  return links.find((each) => each.kind === "uart")?.baud ?? null;
}

function clocksFor(
  board: BoardModel,
  { clockHz, precision }: Options,
  ownMultipliers: boolean,
): readonly number[] {
  if (clockHz === undefined) {
    const believedHz = getFamily(board.part).believedClockHz(board.part, ownMultipliers);
    const higher = board.standardClocksHz.filter((hz) => hz > believedHz);
    const isDaring = precision === "fastest" && higher.length > 0;
    return clockLadder(board, isDaring ? Math.min(...higher) : believedHz);
  }
  if (board.standardClocksHz.includes(clockHz)) return [clockHz];
  const choices = board.standardClocksHz.map((hz) => `${hz / 1e6} MHz`).join(", ");
  throw fail("OPTION_INVALID", `${board.name} has no clock of ${clockHz} Hz.`, {
    field: "options.clockHz",
    hint: `Choose one of ${choices}.`,
  });
}
