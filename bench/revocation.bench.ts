import { Client, credentials } from "@grpc/grpc-js";
import type { MadeToken } from "@/lib/common/contract";
import { deploy, untilReady, upload } from "@/tests/support/client";
import { callGrpc } from "@/tests/support/grpc-call";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { pair } from "@/tests/support/pair";
import { pairMessage } from "@/tests/support/pair-message";
import { quantile } from "./quantile";

/**
 * How long a revoked token is still good: `npm run bench -- revocation TOKENS`. Each token asks a closed endpoint over HTTP and gRPC and
 * holds a stream of events open; then it is revoked, and asks on until each of them refuses it. Times count from before the call that
 * revokes it.
 */
const tokens = Number(process.argv[2] ?? 1000);
const atOnce = 4;
const promisedMs = 1000;
const say = (text: string) => process.stdout.write(`${text}\n`);

const installation = await startInstallation("bench-revocation");
const grpc = new Client(
  `127.0.0.1:${installation.variables["GATEWAY_GRPC_PORT"]}`,
  credentials.createInsecure(),
);
const tookMs = {
  API: [] as number[],
  HTTP: [] as number[],
  gRPC: [] as number[],
  stream: [] as number[],
};
let isSound = false;
try {
  const model = await upload(installation, "model.onnx", pair.model);
  await deploy(installation, {
    name: "closed",
    access: "project",
    engine: "onnx",
    model: { url: model.body.url, card: pair.card },
    board: { model: "cpu", kind: "cpu" },
  });
  await untilReady(installation, "closed");
  let left = tokens;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) await revokeOne(installation);
    }),
  );
  say(`${tokens} tokens, ${atOnce} at once; ms from the revocation on`);
  say("where     p50    p99    most   within a second");
  for (const [where, list] of Object.entries(tookMs)) {
    const at = (share: number) => quantile(list, share).toFixed(0);
    const within = list.filter((ms) => ms <= promisedMs).length;
    say(
      `${where.padEnd(7)} ${at(0.5).padStart(5)}  ${at(0.99).padStart(5)}  ${at(1).padStart(6)}   ${within} of ${list.length}`,
    );
  }
  isSound = Object.values(tookMs).every(
    (list) => list.length === tokens && list.every((ms) => ms <= promisedMs),
  );
} finally {
  grpc.close();
  await installation.stop();
}
process.exit(isSound ? 0 : 1);

async function revokeOne({ api, gatewayUrl, portalUrl }: Installation): Promise<void> {
  const made = await api("/tokens", {
    method: "POST",
    body: JSON.stringify({ name: "a program", scopes: ["infer", "read"] }),
  });
  const { id, token } = made.body as MadeToken;
  const headers = { authorization: `Bearer ${token}` };
  const overHttp = async () => {
    const answer = await fetch(`${gatewayUrl}/v2/models/closed/infer`, {
      method: "POST",
      headers,
      body: JSON.stringify({
        inputs: [{ name: "v0", shape: [1, 2], datatype: "FP32", data: pair.row.row }],
      }),
    });
    await answer.arrayBuffer();
    return answer.status === 200;
  };
  const overGrpc = async () => Buffer.isBuffer(await askOverGrpc(token));
  const atApi = async () => {
    const answer = await fetch(`${portalUrl}/api/v1/builds?limit=1`, { headers });
    await answer.arrayBuffer();
    return answer.status === 200;
  };
  if (!(await overHttp()) || !(await overGrpc()) || !(await atApi()))
    throw new Error("a new token is not good");
  const stream = await fetch(`${portalUrl}/api/v1/events`, { headers });
  const fromMs = performance.now();
  const since = () => performance.now() - fromMs;
  const refused = async (ask: () => Promise<boolean>): Promise<number> => {
    while (await ask()) await new Promise((resolve) => setTimeout(resolve, 10));
    return since();
  };
  const ended = stream.text().then(since, since);
  await api(`/tokens/${id}`, { method: "DELETE" });
  tookMs.API.push(await refused(atApi));
  const [http, overGrpcMs, streamMs] = await Promise.all([
    refused(overHttp),
    refused(overGrpc),
    ended,
  ]);
  tookMs.HTTP.push(http);
  tookMs.gRPC.push(overGrpcMs);
  tookMs.stream.push(streamMs);
}

function askOverGrpc(token: string) {
  const message = pairMessage("closed");
  return callGrpc(grpc, "/inference.GRPCInferenceService/ModelInfer", { message, token });
}
