import { createServer, type Socket, type Server as TcpServer } from "node:net";
import { fromBinary } from "@bufbuild/protobuf";
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from "@grpc/grpc-js";
import { bondPaths, InputRequestSchema, LoadRequestSchema, writeOutcome } from "@/proto/bond";
import { repliesOf } from "./transcript";

/** How the board answers predictions instead of as it was recorded. */
type Mood =
  | "recorded"
  | "silent"
  | "another model"
  | "oversize"
  | "another message type"
  | "no JSON"
  | "a failure";

/** A board of the original system, as it was recorded: what it says is the very bytes. */
export interface OriginalBoard {
  readonly address: string;
  readonly port: number;
  /** What came, in order: `load banknote zynq`, `predict 2x4`. */
  readonly calls: string[];
  /** Most calls that were under way at the same time. */
  readonly atOnce: () => number;
  behave(mood: Mood): void;
  /** It is started again, and has forgotten what it had loaded. */
  forget(): void;
  stop(): Promise<void>;
}

interface State {
  readonly knows: (name: string) => boolean;
  loaded: { readonly arch: string } | null;
  mood: Mood;
  running: number;
  most: number;
  readonly calls: string[];
}

const bytes = {
  serialize: (value: Buffer) => value,
  deserialize: (value: Buffer) => value,
};
const method = (path: string) => ({
  path,
  requestStream: false,
  responseStream: false,
  requestSerialize: bytes.serialize,
  requestDeserialize: bytes.deserialize,
  responseSerialize: bytes.serialize,
  responseDeserialize: bytes.deserialize,
});

/**
 * Starts such a board.
 *
 * @param port 0: any.
 * @param knows Which firmware lies in its store.
 */
export async function startOriginalBoard(
  port = 0,
  knows = (name: string): boolean => name === "banknote",
): Promise<OriginalBoard> {
  const state: State = { knows, loaded: null, mood: "recorded", running: 0, most: 0, calls: [] };
  const server = new Server();
  const answer =
    (reply: (state: State, request: Buffer) => Buffer | null) =>
    (call: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>) => {
      state.running++;
      state.most = Math.max(state.most, state.running);
      const said = reply(state, call.request);
      setTimeout(() => {
        state.running--;
        if (said) done(null, said);
      }, 2);
    };
  server.addService(
    { load: method(bondPaths.load), predict: method(bondPaths.predict) },
    { load: answer(replyToLoad), predict: answer(replyToPredict) },
  );
  const bound = await new Promise<number>((resolve, reject) =>
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, at) =>
      error ? reject(error) : resolve(at),
    ),
  );
  return {
    address: `127.0.0.1:${bound}`,
    port: bound,
    calls: state.calls,
    atOnce: () => state.most,
    behave(mood) {
      state.mood = mood;
    },
    forget() {
      state.loaded = null;
    },
    stop: async () => server.forceShutdown(),
  };
}

function first(replies: Buffer[]): Buffer {
  const [reply] = replies;
  if (!reply) throw new Error("nothing was recorded");
  return reply;
}

function replyToLoad(state: State, request: Buffer): Buffer {
  const { bitfileName, arch } = fromBinary(LoadRequestSchema, request);
  state.calls.push(`load ${bitfileName} ${arch}`.trim());
  if (!state.knows(bitfileName)) return first(repliesOf("load: unknown bitstream"));
  state.loaded = { arch };
  return first(repliesOf(arch === "zynq" ? "load: with arch" : "load: without arch"));
}

function replyToPredict(state: State, request: Buffer): Buffer | null {
  const { inputs } = fromBinary(InputRequestSchema, request);
  const [tensor] = JSON.parse(inputs.replaceAll("'", '"')).inputs;
  const rows: unknown[] = tensor?.data ?? [];
  const isFlat = rows.length > 0 && !Array.isArray(rows[0]);
  const width = isFlat ? rows.length : ((rows[0] as unknown[])?.length ?? 0);
  if (rows.length > 0) state.calls.push(`predict ${isFlat ? "flat " : ""}${rows.length}x${width}`);
  const { loaded, mood } = state;
  if (!loaded) return first(repliesOf("predict: not JSON"));
  if (rows.length === 0) return first(repliesOf("predict: no inputs"));
  if (mood !== "recorded") return moody(mood);
  if (loaded.arch !== "zynq")
    return first(repliesOf("predict after a load without arch: success, no results"));
  if (isFlat) return first(repliesOf("predict: flat row"));
  if (width !== 4) return first(repliesOf("predict: three features for four"));
  if (rows.length === 1) return first(repliesOf("predict: one row"));
  if (rows.length === 2) return first(repliesOf("predict: two rows"));
  // Nothing longer was recorded: the same row again and again.
  const list = (each: string) => rows.map(() => each).join(", ");
  const text = `[{"classification": {"probabilities": [${list("[0.25, 0.75]")}], "classification": [${list("1.0")}]}}]`;
  return Buffer.from(writeOutcome({ success: true, text }));
}

function moody(mood: Exclude<Mood, "recorded">): Buffer | null {
  const said = (text: string) => Buffer.from(writeOutcome({ success: true, text }));
  switch (mood) {
    case "silent":
      return null;
    case "another model":
      return said('[{"classification": {"probabilities": [[1, 2, 3]], "classification": [2.0]}}]');
    case "oversize":
      return said(`[{"classification": {"probabilities": [[${"0.5, ".repeat(400_000)}1]]}}]`);
    case "another message type":
      return Buffer.from("0a0568656c6c6f1001", "hex");
    case "no JSON":
      return said("<html>Bad gateway</html>");
    case "a failure":
      return first(repliesOf("predict: three features for four"));
  }
}

/** A server that takes connections and is no such board: silent, or cut off in the middle of an answer. */
export async function startOther(kind: "silent" | "half" | "HTTP/1"): Promise<{
  readonly address: string;
  stop(): Promise<void>;
}> {
  const sockets = new Set<Socket>();
  const server: TcpServer = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    if (kind === "HTTP/1") socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    if (kind === "half") {
      // Settings, and then half the frame of an answer's headers.
      socket.write(Buffer.from("000000040000000000", "hex"));
      socket.once("data", () => socket.end(Buffer.from("0000ff010400000001", "hex")));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    address: `127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
