import { findBoardModel } from "@/boards";
import { type Engine, getEngine, kindOnDemand } from "@/engines";
import { archOf, firmwareNameSchema } from "@/lib/common/bond";
import type { BuildRequest } from "@/proto/bond";

/** What is made of a request: a build of ours, and what the original writes beside a firmware. */
export interface Order {
  readonly engine: string;
  /** Of the store that networks are read from: `bucket/name`. */
  readonly network: string;
  readonly board: { readonly model: string; readonly kind: ReturnType<typeof kindOnDemand> };
  /** The firmware's name, without an ending. */
  readonly firmware: string;
  readonly metadata: {
    readonly board: string;
    readonly arch: string;
    readonly predictor: string;
    readonly flavor: string;
    readonly benchcore: false;
  };
}

/** The original's tools by name: an engine of ours, and the bucket that its networks lie in. */
const toolkits: Readonly<Record<string, { readonly engine: string; readonly bucket: string }>> = {
  bondmachine: { engine: "bondmachine", bucket: "fpga-firmware" },
  hls4ml: { engine: "hls4ml", bucket: "trained-models" },
};

/** Why a request is no order, in the original's words where it has some. */
export class Refusal extends Error {}

/** @throws {Refusal} */
export function orderOf(request: BuildRequest): Order {
  const { hlsToolkit, projectType, targetBoard, uuid, sourceNeuralNetwork: name } = request;
  const toolkit = Object.hasOwn(toolkits, hlsToolkit) ? toolkits[hlsToolkit] : undefined;
  if (!toolkit) throw new Refusal("hls toolkit not handled");
  if (projectType !== "neuralnetwork") throw new Refusal("Project type not handled");
  const firmware = `${uuid}_firmware`;
  if (!/^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/.test(uuid))
    throw new Refusal("The uuid must be letters, digits and hyphens");
  if (!firmwareNameSchema.safeParse(name).success)
    throw new Refusal("The network's name must be letters, digits, hyphens, underscores and dots");
  const board = findBoardModel(targetBoard);
  if (!board) throw new Refusal(`There is no board ${JSON.stringify(targetBoard.slice(0, 63))}`);
  const kind = kindOnDemand(board);
  requireSupport(getEngine(toolkit.engine), board, kind);
  const arch = request.arch || archOf(board.id);
  return {
    engine: toolkit.engine,
    network: `${toolkit.bucket}/${name}`,
    board: { model: board.id, kind },
    firmware,
    metadata: {
      ...{ board: targetBoard, arch, predictor: hlsToolkit },
      ...{ flavor: request.flavor, benchcore: false },
    },
  };
}

function requireSupport(
  engine: Engine,
  board: NonNullable<ReturnType<typeof findBoardModel>>,
  kind: Order["board"]["kind"],
): void {
  const verdict = engine.supports(board, kind);
  if (!verdict.ok) throw new Refusal(verdict.problem.message);
}
