import { type AddressInfo, createServer, type Socket } from "node:net";
import type { RouteEndpoint } from "@/domain/routes";
import { fail } from "@/lib/common/errors";
import { type Datatype, datatypes, type Tensor, type TensorSpec } from "@/lib/common/tensor";
import { answerCalls } from "@/lib/server/board-protocol";

/** What a slot does with its inputs. */
export type Behaviour = (
  inputs: readonly Tensor[],
) => readonly Tensor[] | Promise<readonly Tensor[]>;

export interface FakeBoard {
  readonly port: number;
  /** By slot id; slots without one refuse. */
  readonly slots: Map<string, { revisionId: string; run: Behaviour; echo?: string }>;
  /** Requests seen, by slot id. */
  readonly seen: string[];
  close(): Promise<void>;
}

/** A board server's tensor side over a real socket, for the gateway's tests. */
export async function startFakeBoard(): Promise<FakeBoard> {
  const slots: FakeBoard["slots"] = new Map();
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    answerCalls(socket, async ({ slotId, revisionId }, inputs) => {
      seen.push(slotId);
      const slot = slots.get(slotId);
      if (slot?.revisionId !== revisionId) throw fail("REVISION_MISMATCH", "refused by the fake");
      return {
        revisionId: slot.echo ?? slot.revisionId,
        outputs: await slot.run(inputs),
        timing: { boardQueueNs: 1, computeNs: 2, cycles: 3 },
      };
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    slots,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

export interface FakeModel {
  readonly name: string;
  readonly inputs: readonly TensorSpec[];
  readonly outputs: readonly TensorSpec[];
  readonly maxBatchSize: number;
  readonly run: Behaviour;
  readonly versions?: readonly number[];
  readonly state?: RouteEndpoint["state"];
}

/** Puts a model on a board and answers the route to it. */
export function serve(board: FakeBoard, model: FakeModel): RouteEndpoint {
  const { name, inputs, outputs, maxBatchSize, run, versions = [1], state = "ready" } = model;
  const revisions = versions.map((version) => {
    const id = `rev_${name}_${version}`;
    const slotId = `slt_${name}_${version}`;
    if (state === "ready") board.slots.set(slotId, { revisionId: id, run });
    return {
      id,
      version: String(version),
      platform: "onnx_onnxv1",
      inputs,
      outputs,
      maxBatchSize,
      properties: {},
      replicas:
        state === "ready"
          ? [
              {
                slotId,
                slotEpoch: 1,
                address: { kind: "tcp" as const, host: "127.0.0.1", port: board.port },
              },
            ]
          : [],
    };
  });
  const last = revisions.at(-1);
  return {
    name,
    state,
    reason: null,
    split: last ? [{ revisionId: last.id, percent: 100 }] : [],
    revisions,
  };
}

/** Identity models of each datatype, `add`, and one with an output that is no text. */
export function standardModels(): FakeModel[] {
  const echoes = (Object.keys(datatypes) as Datatype[]).map((datatype): FakeModel => {
    const input = { name: "x", datatype, shape: [-1] };
    return {
      name: `echo_${datatype.toLowerCase()}`,
      inputs: [input],
      outputs: [{ ...input, name: "y" }],
      maxBatchSize: 0,
      run: ([x]) => (x ? [{ ...x, name: "y" }] : []),
    };
  });
  const free = { name: "x", datatype: "FP32" as const };
  const rename: Behaviour = ([x]) => (x ? [{ ...x, name: "y" }] : []);
  const batched = (name: string) => ({ name, datatype: "FP32" as const, shape: [-1, 4] });
  return [
    ...echoes,
    {
      name: "matrix",
      inputs: [{ ...free, shape: [-1, -1] }],
      outputs: [{ ...free, name: "y", shape: [-1, -1] }],
      maxBatchSize: 0,
      run: rename,
    },
    {
      name: "scalar",
      inputs: [{ ...free, shape: [] }],
      outputs: [{ ...free, name: "y", shape: [] }],
      maxBatchSize: 0,
      run: rename,
    },
    {
      name: "single",
      inputs: [batched("x")],
      outputs: [batched("y")],
      maxBatchSize: 8,
      run: rename,
    },
    {
      name: "add",
      inputs: [batched("a"), batched("b")],
      outputs: [batched("sum"), batched("difference")],
      maxBatchSize: 8,
      versions: [1, 2],
      run: ([a, b]) => {
        const left = a?.data as Float32Array;
        const right = b?.data as Float32Array;
        const shape = a?.shape ?? [];
        return [
          { name: "sum", datatype: "FP32", shape, data: left.map((v, i) => v + (right[i] ?? 0)) },
          {
            name: "difference",
            datatype: "FP32",
            shape,
            data: left.map((v, i) => v - (right[i] ?? 0)),
          },
        ];
      },
    },
    {
      name: "loading",
      inputs: [batched("x")],
      outputs: [batched("y")],
      maxBatchSize: 8,
      state: "loading",
      run: rename,
    },
    {
      name: "failed",
      inputs: [batched("x")],
      outputs: [batched("y")],
      maxBatchSize: 8,
      state: "failed",
      run: rename,
    },
  ];
}
