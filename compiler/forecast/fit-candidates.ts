import { type BoardModel, findFamily, listBoardModels } from "@/boards";
import type { Fit } from "@/lib/common/contract";
import { precisions } from "../passes/precision";

type Options = Readonly<Record<string, unknown>>;

/** Fits of one kind, the nearest first: the first that holds is taken, and the rest left out. */
export interface FitCandidates {
  readonly most: number;
  readonly fits: readonly Fit[];
}

const names = ["balanced", "smallest"] as const;

/**
 * What could be changed about a request whose design does not fit, nearest first: its lanes, its architecture, the bits of
 * its weights, its board. None is tried here.
 *
 * @param options As the engine's schema has them.
 */
export function fitCandidates(options: Options, board: BoardModel): readonly FitCandidates[] {
  const { lanes, architecture = "auto" } = options;
  const without = (...keys: string[]): Options =>
    Object.fromEntries(Object.entries(options).filter(([key]) => !keys.includes(key)));
  const free = without("lanes", "architecture");
  return [
    {
      most: 1,
      fits:
        lanes === undefined ? [] : [{ title: "As many lanes as fit", options: without("lanes") }],
    },
    {
      most: 1,
      fits: fewerBits(options).map((fit) => ({
        ...fit,
        options: { ...without("weightBits", "inputBits", "activationBits"), ...fit.options },
      })),
    },
    {
      most: 1,
      fits:
        architecture === "unrolled"
          ? [{ title: "One array for all layers", options: { ...free, architecture: "array" } }]
          : architecture === "array"
            ? [{ title: "Array or unrolled, whichever fits", options: free }]
            : [],
    },
    {
      // To unroll a graph takes seconds.
      most: architecture === "unrolled" ? 1 : 2,
      fits: largerBoards(board).map(({ id, name }) => ({
        title: `On ${name}`,
        options,
        board: id,
      })),
    },
  ];
}

/** Named precisions with fewer bits of every weight than are asked for. */
function fewerBits({ precision, weightBits }: Options): Fit[] {
  const named = precisions[precision as keyof typeof precisions] ?? precisions["exact-ish"];
  const given = [weightBits ?? named.weightBits].flat().filter((each) => typeof each === "number");
  const most = Math.max(...given);
  return names
    .filter((name) => precisions[name].weightBits[0] < most)
    .map((name) => ({
      title: `Weights of ${precisions[name].weightBits[0]} bits (${name})`,
      options: { precision: name },
    }));
}

/** Boards that designs can be built for and that offer more of something, the smallest first. */
export function largerBoards(board: BoardModel): BoardModel[] {
  const { lut, bramBlocks, bramBlockBits } = board.part.resources;
  const bramBits = bramBlocks * bramBlockBits;
  return listBoardModels()
    .filter(({ id, part, links }) => {
      const { resources } = part;
      const isLarger =
        resources.lut > lut || resources.bramBlocks * resources.bramBlockBits > bramBits;
      const hasSerial = links.some(({ kind }) => kind === "uart");
      return id !== board.id && isLarger && hasSerial && findFamily(part) !== null;
    })
    .sort((a, b) => a.part.resources.lut - b.part.resources.lut || (a.id < b.id ? -1 : 1));
}

/** The candidates that hold, of each kind as many as are wanted. */
export function fitsThatHold(
  candidates: readonly FitCandidates[],
  holds: (fit: Fit) => boolean,
): Fit[] {
  return candidates.flatMap(({ most, fits }) => {
    const held: Fit[] = [];
    for (const fit of fits) {
      if (held.length === most) break;
      if (holds(fit)) held.push(fit);
    }
    return held;
  });
}
