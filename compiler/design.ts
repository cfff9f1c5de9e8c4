import { type AppError, fail, isAppError } from "@/lib/common/errors";
import {
  type AnyArchitecture,
  architectures,
  type Core,
  type DesignResources,
  type Fit,
  type LayoutRequest,
  type Wish,
} from "./architectures";
import { limited, type Willing, willingOf } from "./architectures/attempts";
import type { IntegerGraph } from "./integer/integer-graph";
import type { Target } from "./target/part";

/** An integer graph as hardware for one part. */
export interface Design extends Omit<Core, "note"> {
  readonly architecture: AnyArchitecture["id"];
  /** From the cycle in which the last input byte passed to the one in which the first result byte is valid. */
  readonly latencyCycles: number;
  /** Of core and shell, before any tool ran. */
  readonly resources: DesignResources;
  /** Of an array; null: there is none. */
  readonly lanes: number | null;
  /** Whether the core names the part's multiplier blocks; otherwise synthesis finds them. */
  readonly ownMultipliers: boolean;
  /** What it is and why, for the report. */
  readonly note: string;
}

export interface DesignRequest extends Wish {
  readonly graph: IntegerGraph;
  readonly board: Target;
  /** The ways to choose from, preferred first. Left out: all there are. */
  readonly ways?: readonly AnyArchitecture[];
  /** Other boards that could be built for, with what they offer. */
  readonly others: readonly Target[];
}

/** What `designCore` would come to. */
export interface DesignEstimate extends Pick<DesignResources, "lut" | "bramBlocks"> {
  readonly architecture: Design["architecture"];
  readonly latencyCycles: number;
  readonly fits: boolean;
}

/** An architecture with what it makes of a request. */
interface Attempt {
  readonly architecture: AnyArchitecture;
  readonly request: LayoutRequest;
  readonly fit: Fit<() => Core>;
}

/**
 * Makes hardware of a graph, in the architecture asked for or in the first that suits the part.
 *
 * @throws {AppError} `MODEL_TOO_LARGE`, saying by how much and what would fit; `OPTION_INVALID` for options that do not go
 *   with the graph.
 */
export function designCore(request: DesignRequest): Design {
  const { willing, refusals } = willingFor(request);
  const attempts: Attempt[] = [];
  for (const attempt of attemptsOf(request, willing)) {
    const { architecture, fit } = attempt;
    if (fit.fits) {
      const { note, ...core } = architecture.emit(fit.layout);
      const { resources, latencyCycles, lanes, ownMultipliers } = fit;
      const why = whyOf(request, attempts);
      return {
        ...core,
        architecture: architecture.id,
        latencyCycles,
        resources,
        lanes,
        ownMultipliers,
        note: [note, ...(why ? [why] : [])].join(" "),
      };
    }
    attempts.push(attempt);
  }
  throw tooLarge(request, attempts, refusals);
}

/**
 * What `designCore` would come to, quickly: without printing anything, and without looking for the smallest form.
 *
 * @throws {AppError} `OPTION_INVALID`
 */
export function estimateDesign(request: Omit<DesignRequest, "others">): DesignEstimate {
  let last: Attempt | null = null;
  for (const attempt of attemptsOf({ ...request, isQuick: true }, willingFor(request).willing)) {
    const { architecture, fit } = attempt;
    if (fit.fits) {
      const { lut, bramBlocks } = fit.resources;
      const { latencyCycles } = fit;
      return { architecture: architecture.id, lut, bramBlocks, latencyCycles, fits: true };
    }
    last = attempt;
  }
  const lacking = last && !last.fit.fits ? last.fit.lacking : [];
  const needed = (id: string) => lacking.find((each) => each.id === id)?.needed ?? 0;
  return {
    architecture: last?.architecture.id ?? "array",
    lut: needed("lut"),
    bramBlocks: needed("bram"),
    latencyCycles: 0,
    fits: false,
  };
}

type Asked = Pick<DesignRequest, "graph" | "board" | "architecture" | "lanes" | "ways">;

const layoutRequest = ({ graph, board, architecture, lanes }: Asked): LayoutRequest => ({
  graph,
  target: board,
  wish: { architecture, lanes },
});

/** The architectures that can do what is asked. @throws {AppError} why the first cannot, where none can. */
function willingFor(request: Asked): Willing<AnyArchitecture> {
  const asked = layoutRequest(request);
  const able = (request.ways ?? architectures).filter((each) => each.takes(request.graph));
  if (able.length === 0) throw new RangeError("No architecture has circuits for this graph.");
  return willingOf(able, asked.wish, (each) => each.check(asked));
}

/** Lays a graph out in one architecture after the other. What has another behind it may not be larger than pays. */
function* attemptsOf(
  request: Asked & { readonly isQuick?: boolean },
  willing: readonly AnyArchitecture[],
): Generator<Attempt> {
  for (const { way: architecture, mostCells } of limited(willing)) {
    const asked: LayoutRequest = {
      ...layoutRequest(request),
      mostCells,
      isQuick: request.isQuick ?? false,
    };
    yield { architecture, request: asked, fit: architecture.layOut(asked) };
  }
}

/** Why it is this architecture; nothing where it was the first choice. */
function whyOf({ architecture, lanes }: DesignRequest, failed: readonly Attempt[]): string {
  if (architecture !== "auto") return "This architecture was asked for.";
  if (lanes !== null) return `${lanes} lanes were asked for.`;
  const before = failed.at(-1);
  return before && !before.fit.fits ? `Otherwise it ${before.fit.lack}.` : "";
}

function tooLarge(
  request: DesignRequest,
  attempts: readonly Attempt[],
  refusals: readonly AppError[],
): AppError {
  const last = attempts.at(-1);
  if (!last || last.fit.fits) throw new RangeError("Nothing was tried.");
  const { lack, lacking } = last.fit;
  const smaller = last.architecture.smaller(last.request);
  const larger = request.others.find((board) =>
    attempts.some(({ architecture }) => fitsOn(architecture, { ...request, board })),
  );
  const ways = [
    smaller?.words ?? "",
    larger ? `${larger.name} is large enough` : "",
    request.architecture === "auto" ? "" : "leave the architecture to the compiler",
  ].filter((each) => each !== "");
  const hint = ways.length > 0 ? ways.join("; ") : "use the onnx engine on a CPU board";
  const message = [
    `The model ${lack} on ${request.board.name}.`,
    ...refusals.map((refusal) => refusal.message),
  ].join(" ");
  return fail("MODEL_TOO_LARGE", message, {
    hint: `${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`,
    details: { ...smaller?.details, board: larger?.name ?? null, lacking },
  });
}

/** Whether a graph fits another board, without looking for its smallest form. */
function fitsOn(architecture: AnyArchitecture, request: DesignRequest): boolean {
  const asked = { ...layoutRequest(request), isQuick: true };
  try {
    architecture.check(asked);
  } catch (error) {
    if (isAppError(error)) return false;
    throw error;
  }
  return architecture.layOut(asked).fits;
}
