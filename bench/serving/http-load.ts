import { connect, type Socket } from "node:net";
import { AnswerReader } from "./answer-reader";
import { type Measure, measureOf } from "./measure";

export interface HttpLoad {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly clients: number;
  readonly seconds: number;
  /** Each client asks about so often, whatever it was answered; absent: as soon as it was. */
  readonly everyMs?: number;
  /** Called with the status and the headers of each answer. */
  readonly onHead?: (head: string) => void;
}

/**
 * Sends the same request again and again on each of so many kept connections, the next when the answer has come. Written
 * on bare sockets, so that the load costs little beside what is measured.
 */
export async function loadHttp(load: HttpLoad): Promise<Measure> {
  const { port, clients, seconds, everyMs = 0, onHead } = load;
  const message = messageOf(load);
  const took: number[] = [];
  const start = performance.now();
  const end = start + seconds * 1000;
  await Promise.all(
    Array.from({ length: clients }, () =>
      client(connect(port, "127.0.0.1"), { message, endMs: end, everyMs, onHead }, took),
    ),
  );
  return measureOf(took, performance.now() - start);
}

interface Client {
  readonly message: Buffer;
  readonly endMs: number;
  readonly everyMs: number;
  readonly onHead: HttpLoad["onHead"];
}

function client(
  socket: Socket,
  { message, endMs, everyMs, onHead }: Client,
  took: number[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    let sent = 0;
    const answer = new AnswerReader();
    const send = (): void => {
      sent = performance.now();
      if (sent < endMs) socket.write(message);
      else {
        socket.destroy();
        resolve();
      }
    };
    socket.setNoDelay(true);
    socket.on("connect", () => setTimeout(send, Math.random() * everyMs));
    socket.on("error", reject);
    socket.on("close", () => resolve());
    socket.on("data", (chunk) => {
      let head: string | null;
      try {
        head = answer.push(chunk);
      } catch (error) {
        reject(error);
        socket.destroy();
        return;
      }
      if (head === null) return;
      onHead?.(head);
      const tookMs = performance.now() - sent;
      took.push(tookMs);
      if (everyMs === 0) send();
      else setTimeout(send, Math.max(0, everyMs * (0.5 + Math.random()) - tookMs));
    });
  });
}

/** A request without its connection. */
export type Request = Pick<HttpLoad, "path" | "headers" | "body">;

/** A request as it goes over a connection that is kept. */
export function messageOf({ path, headers, body }: Request): Buffer {
  const lines = Object.entries({
    host: "localhost",
    "content-length": String(body.length),
    ...headers,
  });
  const head = `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

/** The request of one row of a model, or of several, as JSON and as JSON and a blob. */
export function requestsOf(
  name: string,
  inputName: string,
  values: readonly number[],
  rowShape: readonly number[] = [values.length],
): readonly [json: Request, binary: Request] {
  const path = `/v2/models/${name}/infer`;
  const rows = values.length / rowShape.reduce((product, each) => product * each, 1);
  const input = { name: inputName, shape: [rows, ...rowShape], datatype: "FP32" };
  const head = JSON.stringify({
    id: "1",
    inputs: [{ ...input, parameters: { binary_data_size: values.length * 4 } }],
    parameters: { binary_data_output: true },
  });
  const blob = Buffer.from(Float32Array.from(values).buffer);
  return [
    {
      path,
      headers: { "content-type": "application/json" },
      body: Buffer.from(JSON.stringify({ id: "1", inputs: [{ ...input, data: values }] })),
    },
    {
      path,
      headers: { "inference-header-content-length": String(head.length) },
      body: Buffer.concat([Buffer.from(head), blob]),
    },
  ];
}
