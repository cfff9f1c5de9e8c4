import { connect, type Socket } from "node:net";
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

const headEnd = "\r\n\r\n";
const lastChunk = Buffer.from("\r\n0\r\n\r\n");

/**
 * Sends the same request again and again on each of so many kept connections, the next when the answer has come. Written
 * on bare sockets, so that the load costs little beside what is measured.
 */
export async function loadHttp(load: HttpLoad): Promise<Measure> {
  const { port, path, headers, body, clients, seconds, everyMs = 0, onHead } = load;
  const lines = Object.entries({
    host: "localhost",
    "content-length": String(body.length),
    ...headers,
  });
  const head = `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  const message = Buffer.concat([Buffer.from(head), body]);
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
    let head = "";
    let receivedBytes = 0;
    let tail: Buffer = Buffer.alloc(0);
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
      receivedBytes += chunk.length;
      // Only the head and the last bytes are looked at: to join all chunks would cost more than a server's answer does.
      if (!head.includes(headEnd)) head += chunk.toString("latin1");
      tail = Buffer.concat([tail, chunk.subarray(-lastChunk.length)]).subarray(-lastChunk.length);
      const split = head.indexOf(headEnd);
      if (split < 0) return;
      if (!head.startsWith("HTTP/1.1 200")) {
        reject(new Error(head));
        socket.destroy();
        return;
      }
      const length = /\r\ncontent-length: (\d+)/i.exec(head.slice(0, split + 2))?.[1];
      // What comes in chunks ends with an empty one; nothing comes after it before the next request.
      const isWhole =
        length === undefined
          ? tail.equals(lastChunk)
          : receivedBytes >= split + headEnd.length + Number(length);
      if (!isWhole) return;
      onHead?.(head.slice(0, split));
      head = "";
      receivedBytes = 0;
      tail = Buffer.alloc(0);
      const tookMs = performance.now() - sent;
      took.push(tookMs);
      if (everyMs === 0) send();
      else setTimeout(send, Math.max(0, everyMs * (0.5 + Math.random()) - tookMs));
    });
  });
}

type Request = Pick<HttpLoad, "path" | "headers" | "body">;

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
