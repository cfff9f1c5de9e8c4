import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { setPriority } from "node:os";
import { gzipSync } from "node:zlib";
import { inputName, modelName } from "./model";

// One attack on a gateway; the arguments are its name and the ports. It ends with its channel.
const [, , name = "", httpPort = "", grpcPort = ""] = process.argv;
const attackers = ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"];
const mebibyte = 2 ** 20;

interface CallOptions {
  readonly packed?: boolean;
  readonly ends?: boolean;
}

const head = (path: string, fields: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n\r\n`;
const inferPath = `/v2/models/${modelName}/infer`;

/** Writes pieces for as long as they are taken, and again when the connection was ended. */
async function pour(localAddress: string, first: string, piece: Buffer, times: number) {
  const dialled = connect({ host: "127.0.0.1", port: Number(httpPort), localAddress });
  dialled.on("error", () => {}).on("data", () => dialled.end());
  dialled.on("close", () => setTimeout(pour, 100, localAddress, first, piece, times));
  dialled.write(first);
  for (let i = 0; i < times && !dialled.destroyed; i++) {
    if (dialled.write(piece)) continue;
    await new Promise((resolve) => {
      dialled.once("drain", resolve);
      setTimeout(resolve, 1000);
    });
  }
}

/** Sends one unary message, and again when it was answered, whatever with. */
function call(localAddress: string, message: Buffer, options: CallOptions = {}): void {
  const { packed = false, ends = true } = options;
  const session = connectHttp2(`http://127.0.0.1:${grpcPort}`, {
    createConnection: () => connect({ host: "127.0.0.1", port: Number(grpcPort), localAddress }),
  });
  session.on("error", () => {});
  const stream = session.request({
    ":method": "POST",
    ":path": "/inference.GRPCInferenceService/ModelInfer",
    "content-type": "application/grpc",
    te: "trailers",
    ...(packed ? { "grpc-encoding": "gzip" } : {}),
  });
  stream.on("error", () => {}).resume();
  session.on("close", () => setTimeout(call, 100, localAddress, message, options));
  stream.on("close", () => session.close());
  const prefix = Buffer.alloc(5);
  prefix[0] = packed ? 1 : 0;
  prefix.writeUInt32BE(ends ? message.length : 60 * mebibyte, 1);
  stream.write(prefix);
  if (ends) stream.end(message);
  else stream.write(message);
}

/** Protobuf's length-delimited field. */
function field(number: number, content: Uint8Array): Buffer {
  const prefix: number[] = [(number << 3) | 2];
  for (let rest = content.length; ; rest >>>= 7) {
    prefix.push(rest > 127 ? (rest & 127) | 128 : rest);
    if (rest <= 127) break;
  }
  return Buffer.concat([Buffer.from(prefix), content]);
}

/** A `ModelInferRequest` for the model whose only input has these contents and a shape of so many rows. */
function typed(datatype: string, contents: Uint8Array): Buffer {
  const text = (number: number, value: string) => field(number, Buffer.from(value));
  const shape = field(3, Buffer.from([0x80, 0x80, 0x80, 0x10, 1]));
  const input = [text(1, inputName), text(2, datatype), shape, field(5, contents)];
  return Buffer.concat([text(1, modelName), field(5, Buffer.concat(input))]);
}

const chunks = Buffer.from("1\r\n \r\n".repeat(10_000));
const zeros = gzipSync(Buffer.alloc(60 * mebibyte));
const numbers = typed("INT64", field(3, Buffer.alloc(60 * mebibyte, 1)));
const strings = typed("BYTES", Buffer.alloc(60 * mebibyte, Buffer.from([0x42, 0])));
const bomb = Buffer.from(
  `{"inputs":[{"name":"x","shape":[1000000],"datatype":"INT64","data":[${"1e3,".repeat(1_000_000)}1]}]}`,
);

const attacks: Readonly<Record<string, () => void>> = {
  "2,000,000 chunks of a byte": () => {
    for (const each of attackers) {
      void pour(each, head(inferPath, "Transfer-Encoding: chunked"), chunks, 200);
    }
  },
  "bodies that do not end": () => {
    for (const each of attackers) {
      for (let i = 0; i < 8; i++) {
        void pour(each, head(inferPath, "Content-Length: 67108864"), Buffer.alloc(mebibyte), 40);
      }
    }
  },
  "messages that announce 60 MiB": () => {
    for (const each of attackers) {
      for (let i = 0; i < 50; i++) call(each, Buffer.alloc(10), { ends: false });
    }
  },
  "gzip of zeros over gRPC": () => {
    for (const each of attackers) call(each, zeros, { packed: true });
  },
  "60 MiB of int64_contents": () => call("127.0.0.2", numbers),
  "60 MiB of empty BYTES": () => call("127.0.0.2", strings),
  "a million numbers with exponents": () => {
    void pour("127.0.0.2", head(inferPath, `Content-Length: ${bomb.length}`), bomb, 1);
  },
};

setPriority(19);
process.on("disconnect", () => process.exit(0));
process.send?.({ port: 0 });
attacks[name]?.();
