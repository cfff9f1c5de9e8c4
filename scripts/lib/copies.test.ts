import { describe, expect, it } from "vitest";
import { copiesOf } from "./copies.mjs";

describe("further processes of a machine", () => {
  it("are none where nothing asks for them", () => {
    expect(copiesOf({})).toEqual({});
    expect(copiesOf({ GATEWAYS: "", BUILD_WORKERS: "1" })).toEqual({});
  });

  it("have ports of their own, counted from those of the first", () => {
    expect(copiesOf({ GATEWAYS: "3", GATEWAY_HTTP_PORT: "9100", BUILD_WORKERS: "2" })).toEqual({
      "gateway-2": {
        GATEWAY_HTTP_PORT: "9110",
        GATEWAY_GRPC_PORT: "8011",
        GATEWAY_METRICS_PORT: "8012",
      },
      "gateway-3": {
        GATEWAY_HTTP_PORT: "9120",
        GATEWAY_GRPC_PORT: "8021",
        GATEWAY_METRICS_PORT: "8022",
      },
      "build-worker-2": { WORKER_METRICS_PORT: "8015" },
    });
  });

  it("take any free port where the first does", () => {
    expect(copiesOf({ BUILD_WORKERS: "2", WORKER_METRICS_PORT: "0" })).toEqual({
      "build-worker-2": { WORKER_METRICS_PORT: "0" },
    });
  });

  it.each(["0", "-1", "1.5", "two", "17"])("refuse the count %s by name", (count) => {
    expect(() => copiesOf({ GATEWAYS: count })).toThrow(
      `GATEWAYS=${count} is not a whole number from 1 to 16.`,
    );
  });
});
