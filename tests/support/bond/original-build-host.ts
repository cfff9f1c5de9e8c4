import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fromBinary } from "@bufbuild/protobuf";
import { Server, ServerCredentials, type ServerWritableStream } from "@grpc/grpc-js";
import { BuildFirmwareRequestSchema, bondPaths, writeOutcome } from "@/proto/bond";
import { xilinxBitstream } from "@/tests/support/bitstreams";
import { repliesOf } from "./transcript";

type Asked = ReturnType<typeof readAsked>;
type Files = Record<string, Uint8Array>;

/** How the server behaves instead of as it was recorded. */
export interface Habit {
  /** Replies, in the place of the recorded ones of a build that goes well. */
  readonly says?: (asked: Asked) => Iterable<Buffer>;
  /** After its words: the call ends, breaks off, or stays open. */
  readonly afterwards?: "end" | "break off" | "stay";
  /** What it leaves in its store. */
  readonly leaves?: (asked: Asked) => Files;
}

/** A build server of the original system with its store, as it was recorded: what it says is the very bytes. */
export interface OriginalBuildHost {
  readonly address: string;
  readonly storeUrl: string;
  /** Of its store, by `/bucket/name`. */
  readonly files: Files;
  readonly asked: Asked[];
  behave(habit: Habit): void;
  stop(): Promise<void>;
}

const asIs = (bytes: Buffer) => bytes;
const readAsked = (bytes: Buffer) => fromBinary(BuildFirmwareRequestSchema, bytes);

/** One message of a build's stream. */
export const said = (message: string, success = true): Buffer =>
  Buffer.from(writeOutcome({ success, text: message }));

/** What was recorded of a build that goes well; its last word is the name of the request. */
export const allSteps = ({ uuid }: Asked): Buffer[] => [
  ...repliesOf("build: all steps pass").slice(0, -1),
  said(`${uuid}_firmware`),
];

/** The three files of a firmware, as the server leaves them. */
export function triple(
  asked: Asked,
  change: Partial<Record<"bit" | "hwh" | "json", Uint8Array>> = {},
) {
  const at = `/fpga-models/${asked.uuid}_firmware`;
  const { targetBoard: board, arch, nInputs: n_inputs, nOutputs: n_outputs, flavor } = asked;
  const metadata = {
    ...{ board, arch, n_inputs, n_outputs, predictor: "bondmachine", flavor, benchcore: false },
  };
  return {
    [`${at}.bit`]: change.bit ?? xilinxBitstream(),
    [`${at}.hwh`]: change.hwh ?? Buffer.from('<EDKSYSTEM DEVICE="7z020"/>'),
    [`${at}.json`]: change.json ?? Buffer.from(JSON.stringify(metadata)),
  };
}

/** Starts such a server, and the store that it reads from and writes to. */
export async function startOriginalBuildHost(files: Files): Promise<OriginalBuildHost> {
  const asked: Asked[] = [];
  let habit: Habit = {};
  const server = new Server();
  const build = async (call: ServerWritableStream<Buffer, Buffer>) => {
    const request = readAsked(call.request);
    asked.push(request);
    const { says = allSteps, leaves = triple, afterwards = "end" } = habit;
    for (const message of says(request)) {
      if (call.cancelled) return;
      if (!call.write(message)) await new Promise((resolve) => call.once("drain", resolve));
    }
    Object.assign(files, leaves(request));
    if (afterwards === "end") call.end();
    if (afterwards === "break off") server.forceShutdown();
  };
  server.register(bondPaths.buildFirmware, build, asIs, asIs, "serverStream");
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, at) =>
      error ? reject(error) : resolve(at),
    ),
  );
  const store = createServer((request, response) => {
    const content = files[request.url ?? ""];
    response.writeHead(content ? 200 : 404);
    response.end(content);
  });
  await new Promise<void>((resolve) => store.listen(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${port}`,
    storeUrl: `http://127.0.0.1:${(store.address() as AddressInfo).port}`,
    files,
    asked,
    behave(next) {
      habit = next;
    },
    async stop() {
      server.forceShutdown();
      store.closeAllConnections();
      await new Promise((resolve) => store.close(resolve));
    },
  };
}
