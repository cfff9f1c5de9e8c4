import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Gateway } from "@/gateway/gateway";
import { startOtlpTraces } from "@/gateway/telemetry/otlp-traces";
import { callAt } from "@/tests/support/call";
import { startTestGateway } from "@/tests/support/gateway";
import { type FakeBoard, serve, standardModels, startFakeBoard } from "./fake-board";

// What a collector receives over OTLP/HTTP; it is a server that keeps the bodies.

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: { key: string; value: Record<string, unknown> }[];
  readonly status: { code: number; message?: string };
}

const spans: Span[] = [];
const collector = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (request.url === "/otlp/v1/traces") {
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString());
    for (const { scopeSpans } of resourceSpans)
      for (const each of scopeSpans) spans.push(...each.spans);
  }
  response.setHeader("content-type", "application/json");
  response.end("{}");
});
let board: FakeBoard;
let gateway: Gateway;

const body = JSON.stringify({
  id: "r-1",
  inputs: [{ name: "x", shape: [1, 4], datatype: "FP32", data: [1, 2, 3, 4] }],
});
const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const ask = (model: string, headers: Record<string, string> = {}) =>
  callAt(gateway.httpPort, `/v2/models/${model}/infer`, { body, headers });

beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/otlp/`;
  board = await startFakeBoard();
  const endpoints = standardModels().map((model) => serve(board, model));
  gateway = await startTestGateway(endpoints, {
    traces: (version) => startOtlpTraces(endpoint, version),
  });
  await ask("single", { traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
  await ask("echo_bytes", { traceparent: "damaged" });
  await ask("matrix", { traceparent: `00-${traceId}-00f067aa0ba902b7-00` });
  // What is still in memory is sent on the way out.
  await gateway.close();
});
afterAll(async () => {
  await board.close();
  collector.closeAllConnections();
  collector.close();
});

it("a span continues the caller's trace and has the time split below it", () => {
  const root = spans.find(({ name }) => name === "infer single");
  expect(root).toMatchObject({ traceId, parentSpanId: "00f067aa0ba902b7", kind: 2 });
  const attributes = new Map(root?.attributes.map(({ key, value }) => [key, value]));
  expect(attributes.get("model.name")).toEqual({ stringValue: "single" });
  expect(attributes.get("request.id")).toEqual({ stringValue: "r-1" });
  expect(attributes.get("device.cycles")).toEqual({ intValue: 3 });
  const children = spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
  expect(children.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["gateway_queue", "link", "board_queue", "compute"]),
  );
  for (const { startTimeUnixNano, endTimeUnixNano } of children) {
    expect(BigInt(startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(root?.startTimeUnixNano ?? 0));
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
  }
  const compute = children.find(({ name }) => name === "compute");
  const took = BigInt(compute?.endTimeUnixNano ?? 0) - BigInt(compute?.startTimeUnixNano ?? 0);
  expect(Number(took)).toBeLessThan(1000);
});

it("a failure is a span with its reason, and a damaged traceparent begins a new trace", () => {
  const root = spans.find(({ name }) => name === "infer echo_bytes");
  expect(root?.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(root?.parentSpanId ?? "").toBe("");
  expect(root?.status.code).toBe(2);
  expect(root?.attributes.map(({ key }) => key)).toContain("error.type");
});

it("a caller that does not sample is not sampled", () => {
  expect(spans.find(({ name }) => name === "infer matrix")).toBeUndefined();
});
