import { followBuild, requestBuild } from "@/domain/builds";
import type { Build, Scope } from "@/lib/common/contract";
import { fail, isAppError, toAppError } from "@/lib/common/errors";
import { cutText, showText } from "@/lib/common/text";
import { ensureLocalOwner } from "@/lib/server/auth";
import { withTransaction } from "@/lib/server/db";
import { type GrpcServer, type ServedCall, startGrpcServer } from "@/lib/server/grpc";
import { logger } from "@/lib/server/logger";
import type { ObjectStore } from "@/lib/server/storage";
import { bondPaths, readBuildRequest, writeOutcome } from "@/proto/bond";
import { CommandTeller } from "./commands";
import { deliver } from "./deliver";
import { type Order, orderOf, Refusal } from "./order";

/** Where clients of the original's build servers find this one, and the store that it shares with them. */
export interface BondServerPlace {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Of the store: `http://host:9000`. Networks are read from it, by anybody who may. */
  readonly storeUrl: string;
  /** The same, to be written to. */
  readonly store: ObjectStore;
}

const maxMessageBytes = 64 * 1024;

/**
 * Answers the original's contract for build hosts: a request becomes a build of ours, its stages are told as the original's
 * commands, and the firmware lies in the original's store at the end. A caller who leaves does not end the build.
 */
export async function startBuildServer(place: BondServerPlace): Promise<GrpcServer> {
  const { host, port } = place;
  const server = await startGrpcServer({
    host,
    port,
    maxMessageBytes,
    methods: new Map([[bondPaths.buildFirmware, (call) => answer(call, place)]]),
  });
  logger().info({ host, port: server.port }, "the original's contract for build hosts is answered");
  return server;
}

async function answer(
  { message, send, signal }: ServedCall,
  place: BondServerPlace,
): Promise<void> {
  const tell = (text: string, success = true) => send(writeOutcome({ success, text }));
  const request = readRequest(message);
  tell("Request accepted");
  try {
    const order = orderOf(request);
    const scope = await ensureLocalOwner();
    const build = await follow(scope, order, { place, signal, tell });
    // The caller is gone, and nobody waits for the files.
    if (!build) return;
    if (build.state !== "succeeded") throw new Refusal(wordsOf(build));
    await deliver(scope, build, { store: place.store, order });
    tell(order.firmware);
  } catch (error) {
    if (!(error instanceof Refusal) && !isAppError(error))
      logger().error({ err: error }, "a build for a client of the original failed");
    tell(error instanceof Refusal ? error.message : showText(toAppError(error).message), false);
  }
}

function readRequest(message: Uint8Array) {
  try {
    return readBuildRequest(message);
  } catch (cause) {
    throw fail("REQUEST_INVALID", "This is no BuildFirmwareRequest.", { cause });
  }
}

/** Asks for the build and tells of its stages; gives it as it ended, or null where the caller left before. */
async function follow(
  scope: Scope,
  { engine, network, board }: Order,
  {
    place,
    signal,
    tell,
  }: {
    readonly place: BondServerPlace;
    readonly signal: AbortSignal;
    readonly tell: (text: string) => void;
  },
): Promise<Build | null> {
  const url = `${place.storeUrl.replace(/\/$/, "")}/${network}`;
  const id = await withTransaction((tx) =>
    requestBuild(tx, scope, { engine, model: { url }, board }),
  );
  const teller = new CommandTeller(tell);
  let last: Build | null = null;
  for await (const build of followBuild(scope, id, signal)) {
    teller.see(build);
    last = build;
  }
  return signal.aborted ? null : last;
}

const wordsOf = ({ state, problem }: Build): string =>
  showText(cutText(problem?.message ?? `The build is ${state}`, 300));
