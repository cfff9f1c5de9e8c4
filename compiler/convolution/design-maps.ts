import { fail } from "@/lib/common/errors";
import type { IntegerGraph, Tap } from "../integer-graph";
import { arrayPart, lackInWords, type Target } from "../schedule";
import { chooseLayout, hasMultipliers, refuseLanes } from "./choose-layout";
import { emitMapCore } from "./emit-core";
import type { MapEstimate } from "./estimate";
import { mapTaps } from "./taps";

/** A model of feature maps as hardware for one part. */
export interface MapDesign {
  readonly lanes: number;
  readonly verilog: string;
  readonly taps: readonly Tap[];
  readonly latencyCycles: number;
  /** Of core and shell, before any tool ran. */
  readonly estimate: MapEstimate;
}

export interface MapDesignRequest {
  readonly graph: IntegerGraph;
  readonly board: Target;
  /** Other boards that could be built for. */
  readonly others: readonly Target[];
  /** Lanes asked for; null leaves the choice to the compiler. */
  readonly lanes: number | null;
}

/**
 * Lays a graph of maps out on the part's array and prints its Verilog.
 *
 * @throws {AppError} `MODEL_TOO_LARGE`, saying by how much and what would fit; `OPTION_INVALID` for lanes without
 * multipliers.
 */
export function designMaps({ graph, board, others, lanes }: MapDesignRequest): MapDesign {
  refuseLanes(lanes, board.part);
  const chosen = chooseLayout(graph, arrayPart(board), lanes);
  if (!chosen.choice) {
    const { lacking } = chosen;
    const larger = others.find(
      (other) =>
        hasMultipliers(lanes, other.part) &&
        chooseLayout(graph, arrayPart(other), lanes ?? 1).choice !== null,
    );
    throw fail("MODEL_TOO_LARGE", `The model ${lackInWords(lacking)} on ${board.name}.`, {
      hint: larger
        ? `${larger.name} is large enough; or give its layers fewer channels.`
        : "Give its layers fewer channels, or use the onnx engine on a CPU board.",
      details: { board: larger?.name ?? null, lacking },
    });
  }
  const { layout, estimate } = chosen.choice;
  return {
    lanes: layout.lanes,
    verilog: emitMapCore(layout, estimate),
    taps: mapTaps(layout.sweeps, layout.schedule),
    latencyCycles: layout.schedule.latencyCycles,
    estimate,
  };
}
