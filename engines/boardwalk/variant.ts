import { type BoardModel, getFamily, renderAddressMap, renderTop } from "@/boards";
import type { Plan, Variant } from "../engine";
import type { LinkDesign } from "./link";
import { type Options, placementsOf } from "./options";
import { paths } from "./paths";
import type { BitstreamNeed } from "./project";
import { buildSteps, chipScript, readBackSteps, shellNetlistScript } from "./steps";

export interface VariantChoice {
  readonly board: BoardModel;
  readonly link: LinkDesign;
  readonly clockHz: number;
  /** Where placement begins: another seed, another placement. */
  readonly seed: number;
  /** Of a serial link. */
  readonly baud: number | null;
  readonly options: Options;
  readonly core: NonNullable<Plan["core"]>;
  readonly need: BitstreamNeed;
  /** Whether the finished bitstream is taken apart again, and proven too. */
  readonly isReadBack: boolean;
}

/** One clock of a plan: the board's own files at it, and the steps that prove and place the design. */
export function variantOf(choice: VariantChoice): Variant {
  const { board, link, clockHz, seed, baud, options, need, isReadBack } = choice;
  const readBack = isReadBack ? getFamily(board.part).readBack?.(board, clockHz) : undefined;
  const shell = options.simulate === "shell" && baud !== null;
  const files = new Map([...boardFiles(choice), ...projectFiles(choice)]);
  return {
    name: `${clockHz / 1e6} MHz${placementsOf(options) > 1 ? `, placement ${seed}` : ""}`,
    clockHz,
    files: new Map([
      ...files,
      ...(readBack ? [[paths.chipScript, chipScript(readBack)] as const] : []),
      ...(shell ? [[paths.shellNetlistScript, shellNetlistScript(clockHz, baud)] as const] : []),
    ]),
    steps: buildSteps(board.part, {
      link,
      clockHz,
      seed,
      simulateShell: shell,
      // Open tools name what they read; a vendor's reads all of its project.
      project: !need.isHere ? null : need.tool === null ? [] : [...link.sources, ...files.keys()],
    }),
    netlistSimulation: paths.netlistSimulation,
    ...(readBack
      ? { readBack: { steps: readBackSteps(readBack), simulation: paths.chipSimulation } }
      : {}),
  };
}

/** The top with its pins; of AXI, what a host needs to know of the registers. */
function boardFiles({ board, link, clockHz, baud, core }: VariantChoice) {
  if (link.kind === "uart" && baud !== null) return renderTop({ board, clockHz, baud });
  return new Map([[paths.registers, renderAddressMap(core)]]);
}

function projectFiles({ board, link, clockHz }: VariantChoice): ReadonlyMap<string, string> {
  const { vendor } = getFamily(board.part);
  return vendor?.project({ board, clockHz, sources: link.sources }) ?? new Map();
}
