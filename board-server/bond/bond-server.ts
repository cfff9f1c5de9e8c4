import { fromBinary } from "@bufbuild/protobuf";
import { readBondInputs, writeBondAnswers } from "@/lib/common/bond";
import { fail, toAppError } from "@/lib/common/errors";
import { cutText, showText } from "@/lib/common/text";
import { type GrpcServer, type Method, startGrpcServer } from "@/lib/server/grpc";
import { logger } from "@/lib/server/logger";
import {
  bondPaths,
  InputRequestSchema,
  LoadRequestSchema,
  type Outcome,
  writeOutcome,
} from "@/proto/bond";
import type { Slot, Slots } from "../slots";
import { answerRows, toTensor } from "./rows";

/** Where the original's clients find this server. */
export interface BondListen {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

type SomeSlots = Pick<Slots, "reports" | "find">;

/** What Python's server takes, too. */
const maxMessageBytes = 4 * 1024 * 1024;
const patienceMs = 30_000;

/** What the original says, to the letter. */
const words = {
  loaded: "Bitstream loaded successfully",
  unknown: "Downloaded bitstream is not correct",
  incomplete: "You ask to build the firmware, but some information is missing. Check the doc",
  unable: "Unable to make prediction",
} as const;

/**
 * Answers the original's contract for boards, so that its clients find here what they know: `load` chooses an endpoint that
 * this server serves, by its name, for all callers, and `predict` asks it.
 */
export async function startBondServer(
  slots: () => SomeSlots,
  { host, port }: BondListen,
): Promise<GrpcServer> {
  let chosen: string | null = null;
  const load: Answer = async (message) => {
    const request = fromBinary(LoadRequestSchema, message);
    if (request.buildfirmware) return refuseBuild(request);
    const { bitfileName } = request;
    if (!findServing(slots(), bitfileName)) return { success: false, text: words.unknown };
    chosen = bitfileName;
    return { success: true, text: words.loaded };
  };
  const predict: Answer = async (message, signal) => {
    try {
      const { inputs } = fromBinary(InputRequestSchema, message);
      const slot = chosen === null ? null : findServing(slots(), chosen);
      if (!slot) throw fail("MODEL_NOT_READY", ": nothing is loaded");
      return { success: true, text: await answerTo(inputs, slot, signal) };
    } catch (error) {
      const { message: why } = toAppError(error);
      return { success: false, text: `${words.unable}${showText(cutText(why, 300))}` };
    }
  };
  const server = await startGrpcServer({
    host,
    port,
    maxMessageBytes,
    methods: new Map([
      [bondPaths.load, unary(load)],
      [bondPaths.predict, unary(predict)],
    ]),
  });
  logger().info({ host, port: server.port }, "the original's contract for boards is answered");
  return server;
}

/** A slot that serves an endpoint, by its name. */
function findServing(slots: SomeSlots, endpointName: string): Slot | null {
  const serving = slots.reports().filter(({ state }) => state === "serving");
  const found = serving
    .map(({ slotId }) => slots.find(slotId))
    .find((slot) => slot?.command?.endpointName === endpointName);
  return found ?? null;
}

type Answer = (message: Uint8Array, signal: AbortSignal) => Promise<Outcome>;

const unary =
  (answer: Answer): Method =>
  async ({ message, send, signal }) =>
    send(writeOutcome(await answer(message, signal)));

/** A build is the portal's, where its log, its proof and its owner are. */
function refuseBuild({
  hlsToolkit,
  targetBoard,
  projectType,
  sourceNeuralNetwork,
}: {
  readonly hlsToolkit: string;
  readonly targetBoard: string;
  readonly projectType: string;
  readonly sourceNeuralNetwork: string;
}): Outcome {
  const isWhole = [hlsToolkit, targetBoard, projectType, sourceNeuralNetwork].every(Boolean);
  const text = isWhole
    ? "Deploy the network in Boardwalk, then load the endpoint by its name"
    : words.incomplete;
  return { success: false, text };
}

async function answerTo(text: string, slot: Slot, signal: AbortSignal): Promise<string> {
  const { io } = slot.command?.manifest ?? { io: { inputs: [], outputs: [] } };
  const answers = [];
  for (const { rows } of readBondInputs(text)) {
    if (rows.length === 0) {
      answers.push({ scores: [], classes: [] });
      continue;
    }
    const { outputs } = await slot.infer({
      revisionId: slot.command?.revisionId ?? "",
      slotEpoch: slot.report.slotEpoch,
      inputs: [toTensor(io, rows)],
      waitMs: patienceMs,
      signal,
    });
    answers.push(answerRows(outputs, rows.length));
  }
  return writeBondAnswers(answers);
}
