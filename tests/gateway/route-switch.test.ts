import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RouteEndpoint } from "@/domain/routes";
import type { Gateway } from "@/gateway/gateway";
import { callAt } from "@/tests/support/call";
import { startTestGateway } from "@/tests/support/gateway";
import { type Behaviour, type FakeBoard, serve, startFakeBoard } from "./fake-board";

// A board leaves a revision as soon as the next one serves: what is on its way to it then is answered by the next one.

let board: FakeBoard;
let gateway: Gateway;
let endpoint: RouteEndpoint;
let reads: number;
let ring = (): void => {};

const echo: Behaviour = ([x]) => (x ? [{ ...x, name: "y" }] : []);

/** Versions 1 and 2 on slots of their own; requests without a version go to one of them. */
function routed(version: 1 | 2, { width = -1 }: { readonly width?: number } = {}): RouteEndpoint {
  const tensor = { datatype: "FP32" as const, shape: [-1, width] };
  const both = serve(board, {
    name: "m",
    inputs: [{ ...tensor, name: "x" }],
    outputs: [{ ...tensor, name: "y" }],
    maxBatchSize: 8,
    versions: [1, 2],
    run: echo,
  });
  return {
    ...both,
    split: [{ revisionId: `rev_m_${version}`, percent: 100 }],
    revisions: both.revisions.map((each) =>
      each.version === String(version) ? each : { ...each, replicas: [] },
    ),
  };
}

beforeEach(async () => {
  board = await startFakeBoard();
  endpoint = routed(1);
  reads = 0;
  gateway = await startTestGateway([], {
    load: async () => {
      reads++;
      return { endpoints: [endpoint] };
    },
    listen: (onRing) => {
      ring = onRing;
      return { close: async () => {} };
    },
  });
});
afterEach(async () => {
  await gateway.close();
  await board.close();
});

async function ask(path = "/v2/models/m/infer") {
  const { status, json } = await callAt(gateway.httpPort, path, {
    body: JSON.stringify({
      inputs: [{ name: "x", shape: [1, 2], datatype: "FP32", data: [1, 2] }],
    }),
  });
  return status === 200 ? Number(json.model_version) : status;
}

/** By version, how many requests succeeded and failed. */
async function counted(): Promise<Record<string, [number, number]>> {
  const { json } = await callAt(gateway.httpPort, "/v2/models/stats");
  const versions = json.model_stats as {
    version: string;
    inference_stats: Record<"success" | "fail", { count: number }>;
  }[];
  return Object.fromEntries(
    versions.map(({ version, inference_stats: { success, fail } }) => [
      version,
      [success.count, fail.count],
    ]),
  );
}

/** The second revision took over, and nobody has told the gateway. */
function switchUnheard(options?: Parameters<typeof routed>[1]): void {
  endpoint = routed(2, options);
  board.slots.delete("slt_m_1");
}

describe("a route that switches", () => {
  it("loses no request, though the gateway has not heard of it", async () => {
    expect(await ask()).toBe(1);
    switchUnheard();
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask()));
    expect([...new Set(answers)]).toEqual([2]);
    expect(await counted()).toEqual({ "2": [50, 0] });
  });

  it("is read once for all requests that it is read for", async () => {
    await ask();
    const before = reads;
    switchUnheard();
    await Promise.all(Array.from({ length: 50 }, () => ask()));
    expect(reads - before).toBeLessThanOrEqual(2);
  });

  it("takes those along that wait for their turn", async () => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const slot = board.slots.get("slt_m_1");
    let begun = 0;
    board.slots.set("slt_m_1", {
      revisionId: slot?.revisionId ?? "",
      run: async (inputs) => {
        begun++;
        await gate;
        return await echo(inputs);
      },
    });
    const answers = Array.from({ length: 40 }, () => ask());
    await expect.poll(() => begun).toBe(2);
    endpoint = routed(2);
    ring();
    await expect.poll(() => board.seen.includes("slt_m_2")).toBe(true);
    open();
    const all = await Promise.all(answers);
    expect(new Set(all)).toEqual(new Set([1, 2]));
  });

  it("follows a revision to another board, also for those who named it", async () => {
    await ask();
    const moved = board.slots.get("slt_m_1") ?? expect.fail("it is on a board");
    board.slots.delete("slt_m_1");
    board.slots.set("slt_other", moved);
    endpoint = {
      ...endpoint,
      revisions: endpoint.revisions.map((each) => ({
        ...each,
        replicas: each.replicas.map((replica) => ({ ...replica, slotId: "slt_other" })),
      })),
    };
    const paths = ["/v2/models/m/infer", "/v2/models/m/versions/1/infer"];
    const answers = await Promise.all(paths.flatMap((path) => [ask(path), ask(path)]));
    expect(answers).toEqual([1, 1, 1, 1]);
  });

  it("gives another revision to nobody who named one", async () => {
    expect(await ask("/v2/models/m/versions/1/infer")).toBe(1);
    switchUnheard();
    expect(await ask("/v2/models/m/versions/1/infer")).toBe(503);
    expect(await ask("/v2/models/m/versions/2/infer")).toBe(2);
  });

  it("checks a request against the model that takes over", async () => {
    await ask();
    switchUnheard({ width: 3 });
    expect(await ask()).toBe(400);
  });

  it("is told to be moving where no newer route is to be had, and read no more than a few times a second", async () => {
    await ask();
    board.slots.delete("slt_m_1");
    const before = reads;
    const started = performance.now();
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask()));
      expect([...new Set(answers)]).toEqual([503]);
    }
    expect(await counted()).toMatchObject({ "1": [1, 60] });
    const spentS = (performance.now() - started) / 1000;
    expect(reads - before).toBeLessThanOrEqual(Math.ceil(spentS * 5) + 1);
  });
});
