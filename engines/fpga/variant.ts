import { type BoardModel, getFamily, renderClock, type TopOptions } from "@/boards";
import type { Variant } from "../engine";
import type { Choices } from "./choices";
import type { LinkDesign } from "./link";
import { packStep } from "./pack-project";
import { paths } from "./paths";
import type { BitstreamNeed } from "./project";
import { buildSteps, chipScript, readBackSteps } from "./steps";

/** One clock and placement of a design. */
export interface VariantChoice {
  readonly board: BoardModel;
  readonly link: LinkDesign;
  /** The board's own files, alike at every clock. */
  readonly boardFiles: ReadonlyMap<string, string>;
  readonly clockHz: number;
  /** Where placement begins: another seed, another placement. */
  readonly seed: number;
  /** Of a serial link; null for what is behind AXI. */
  readonly top: TopOptions | null;
  readonly choices: Choices;
  readonly need: BitstreamNeed;
  /** Whether steps leave the core's text: then the project for a vendor's tool is packed by one of them, too. */
  readonly isCoreMadeByTools: boolean;
  /** Whether the finished bitstream is taken apart again, and proven too. */
  readonly isReadBack: boolean;
}

/** One clock of a plan: the files that differ at it, and the steps that prove and place the design. */
export function variantOf(choice: VariantChoice): Variant {
  const { board, link, boardFiles, clockHz, seed, top, choices, need, isReadBack } = choice;
  const readBack = isReadBack ? getFamily(board.part).readBack?.(board, clockHz) : undefined;
  const shell = choices.simulate === "shell" && top !== null;
  const project = projectFiles(choice);
  const verilog = [...link.sources, ...link.settings];
  const files = new Map([
    ...clockFiles(choice),
    ...project,
    ...(readBack ? [[paths.chipScript, chipScript(readBack)] as const] : []),
  ]);
  return {
    name: `${clockHz / 1e6} MHz${choices.placements > 1 ? `, placement ${seed}` : ""}`,
    clockHz,
    files,
    steps: [
      ...buildSteps(board.part, {
        link,
        clockHz,
        seed,
        simulateShell: shell,
        // Open tools name what they read; a vendor's reads all of its project.
        project: !need.isHere
          ? null
          : need.tool === null
            ? []
            : [...verilog, ...boardFiles.keys(), ...project.keys()],
      }),
      ...(need.tool !== null && choice.isCoreMadeByTools
        ? [packStep([...verilog, ...link.files.keys(), ...boardFiles.keys(), ...files.keys()])]
        : []),
    ],
    netlistSimulation: paths.netlistSimulation,
    ...(readBack
      ? { readBack: { steps: readBackSteps(readBack), simulation: paths.chipSimulation } }
      : {}),
  };
}

/** The clock of a top; what is behind AXI gets its own from outside. */
function clockFiles({ clockHz, top }: VariantChoice): ReadonlyMap<string, string> {
  return top ? new Map([[paths.clock, renderClock(top, clockHz)]]) : new Map();
}

function projectFiles({ board, link, clockHz }: VariantChoice): ReadonlyMap<string, string> {
  const { vendor } = getFamily(board.part);
  const sources = [...link.sources, ...link.settings];
  return vendor?.project({ board, clockHz, sources }) ?? new Map();
}
