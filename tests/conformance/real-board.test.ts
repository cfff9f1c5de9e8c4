import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadCpu } from "@/board-server/devices/cpu";
import type { LoadedModel } from "@/board-server/devices/device";
import { startTensorServer, type TensorServer } from "@/board-server/serving/tensor-server";
import { Slot } from "@/board-server/slots/slot";
import { type Gateway, startGateway } from "@/gateway/gateway";
import type { Manifest } from "@/lib/common/contract";
import type { Datatype } from "@/lib/common/tensor";
import type { LoadCommand } from "@/lib/server/board-protocol";
import { digestOf } from "@/lib/server/digest";
import { bundle } from "@/scripts/bundle.mjs";
import { callAt } from "@/tests/gateway/call";
import { identityOnnx } from "@/tests/support/onnx";

// Each datatype through a real board server and a real session of ONNX Runtime, as JSON and as bytes.

const folder = mkdtempSync(join(tmpdir(), "bw-rb-"));
const samples: Readonly<Partial<Record<Datatype, { json: string; bytes: Uint8Array }>>> = {
  BOOL: { json: "[true,false,true]", bytes: Uint8Array.of(1, 0, 1) },
  UINT8: { json: "[0,1,255]", bytes: Uint8Array.of(0, 1, 255) },
  INT8: { json: "[-128,0,127]", bytes: bytesOf(Int8Array.of(-128, 0, 127)) },
  UINT16: { json: "[0,1,65535]", bytes: bytesOf(Uint16Array.of(0, 1, 65_535)) },
  INT16: { json: "[-32768,0,32767]", bytes: bytesOf(Int16Array.of(-32_768, 0, 32_767)) },
  UINT32: { json: "[0,1,4294967295]", bytes: bytesOf(Uint32Array.of(0, 1, 2 ** 32 - 1)) },
  INT32: { json: "[-2147483648,0,1]", bytes: bytesOf(Int32Array.of(-(2 ** 31), 0, 1)) },
  UINT64: {
    json: "[0,1,18446744073709551615]",
    bytes: bytesOf(BigUint64Array.of(0n, 1n, 2n ** 64n - 1n)),
  },
  INT64: {
    json: "[-9223372036854775808,0,9223372036854775807]",
    bytes: bytesOf(BigInt64Array.of(-(2n ** 63n), 0n, 2n ** 63n - 1n)),
  },
  FP16: { json: "[0.5,-2,1.25]", bytes: bytesOf(Uint16Array.of(0x3800, 0xc000, 0x3d00)) },
  FP32: { json: "[0.1,-2.5,3e+38]", bytes: bytesOf(Float32Array.of(0.1, -2.5, 3e38)) },
  FP64: { json: "[0.1,-2.5,1e+300]", bytes: bytesOf(Float64Array.of(0.1, -2.5, 1e300)) },
  BYTES: {
    json: '["","plain","é"]',
    bytes: Uint8Array.of(0, 0, 0, 0, 5, 0, 0, 0, 112, 108, 97, 105, 110, 2, 0, 0, 0, 0xc3, 0xa9),
  },
};
const datatypes = Object.keys(samples) as Datatype[];
const models: LoadedModel[] = [];
let tensors: TensorServer;
let gateway: Gateway;

function bytesOf({ buffer }: { readonly buffer: ArrayBuffer }): Uint8Array {
  return new Uint8Array(buffer);
}

const idOf = (datatype: Datatype) => datatype.toLowerCase();

async function slotOf(datatype: Datatype): Promise<Slot> {
  const path = join(folder, `${idOf(datatype)}.onnx`);
  const bytes = identityOnnx(datatype, [-1]);
  writeFileSync(path, bytes);
  const digest = digestOf(bytes);
  const spec = { datatype, shape: [-1], size: 1 };
  const manifest = {
    planDigest: digest,
    io: {
      inputs: [{ ...spec, name: "x" }],
      outputs: [{ ...spec, name: "y", activation: "none" }],
    },
  } as unknown as Manifest;
  const model = await loadCpu(manifest, path);
  models.push(model);
  const command = { revisionId: `rev_${idOf(datatype)}`, artifactDigest: digest } as LoadCommand;
  const empty = { revisionId: null, artifactDigest: null, commandId: null, problem: null };
  const slotId = `slt_${idOf(datatype)}`;
  const slot = new Slot({ slotId, slotEpoch: 1, state: "empty", ...empty }, command);
  slot.serve(model);
  return slot;
}

beforeAll(async () => {
  process.env["BOARDWALK_BUNDLES"] ??= await bundle();
  const slots = new Map<string, Slot>();
  for (const datatype of datatypes) slots.set(`slt_${idOf(datatype)}`, await slotOf(datatype));
  const server = {
    accept: async () => {},
    reports: () => [],
    find: (id: string) => slots.get(id) ?? null,
    close: async () => {},
  };
  tensors = await startTensorServer(() => server as never, {
    kind: "unix",
    path: join(folder, "s"),
  });
  const endpoints = datatypes.map((datatype) => {
    const id = `rev_${idOf(datatype)}`;
    const spec = { datatype, shape: [-1] };
    const replica = { slotId: `slt_${idOf(datatype)}`, slotEpoch: 1, address: tensors.address };
    const revision = {
      id,
      version: "1",
      platform: "onnx_onnxv1",
      inputs: [{ ...spec, name: "x" }],
      outputs: [{ ...spec, name: "y" }],
      maxBatchSize: 0,
      properties: {},
      replicas: [replica],
    };
    const split = [{ revisionId: id, percent: 100 }];
    return {
      name: idOf(datatype),
      state: "ready" as const,
      reason: null,
      split,
      revisions: [revision],
    };
  });
  gateway = await startGateway({
    load: async () => ({ endpoints }),
    listen: () => ({ close: async () => {} }),
    host: "127.0.0.1",
    httpPort: 0,
    metricsPort: 0,
    allowedHosts: [],
    portalUrl: "http://portal.test:3000",
  });
}, 180_000);
afterAll(async () => {
  await gateway.close();
  await tensors.close();
  for (const model of models) await model.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(datatypes)("%s", (datatype) => {
  const { json, bytes } = samples[datatype] as { json: string; bytes: Uint8Array };
  const path = `/v2/models/${idOf(datatype)}/infer`;
  const input = `"name":"x","shape":[3],"datatype":"${datatype}"`;

  it("goes through a real session as JSON, digit for digit", async () => {
    const answer = await callAt(gateway.httpPort, path, {
      body: `{"inputs":[{${input},"data":${json}}]}`,
    });
    expect(answer.text).toContain(`"data":${json.replaceAll("-2.0", "-2")}`);
  });

  it("goes through as bytes, bit for bit", async () => {
    const head = Buffer.from(
      `{"inputs":[{${input},"parameters":{"binary_data_size":${bytes.length}}}],"parameters":{"binary_data_output":true}}`,
    );
    const answer = await callAt(gateway.httpPort, path, {
      body: Buffer.concat([head, bytes]),
      headers: { "inference-header-content-length": String(head.length) },
    });
    expect(answer.status).toBe(200);
    const start = Number(answer.headers["inference-header-content-length"]);
    expect(Buffer.from(answer.bytes.subarray(start)).equals(Buffer.from(bytes))).toBe(true);
  });
});
