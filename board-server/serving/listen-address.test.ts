import { expect, it } from "vitest";
import { listenAddress } from "./listen-address";

const words = { socket: undefined, host: "127.0.0.1", port: 8100, reachedAt: undefined };

it("listens in the clear on this host alone", () => {
  expect(listenAddress({ ...words, socket: "/run/s" })).toEqual({ kind: "unix", path: "/run/s" });
  expect(listenAddress(words)).toEqual({ kind: "tcp", host: "127.0.0.1", port: 8100 });
  expect(listenAddress({ ...words, host: "[::1]" })).toMatchObject({ kind: "tcp", host: "::1" });
});

it.each(["192.0.2.7", "fpga-1", "127.0.0.1.example"])("speaks TLS on %s", (host) => {
  expect(listenAddress({ ...words, host })).toEqual({
    kind: "tls",
    host,
    port: 8100,
    reachedAt: host,
  });
});

it("asks under which address others find it where it listens on all", () => {
  expect(() => listenAddress({ ...words, host: "0.0.0.0" })).toThrow(/BOARD_SERVER_HOST/);
  expect(listenAddress({ ...words, host: "::", reachedAt: "fpga-1.lab" })).toMatchObject({
    kind: "tls",
    reachedAt: "fpga-1.lab",
  });
});
