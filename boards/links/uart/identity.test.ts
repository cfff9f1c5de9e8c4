import { describe, expect, it } from "vitest";
import {
  type Identity,
  identityModules,
  identityTables,
  parseIdentity,
  renderTables,
} from "./identity";

const identity: Identity = {
  planDigest: `sha256:${"0123456789abcdef".repeat(4)}`,
  core: { inputBytes: 784, outputBytes: 20, bytesPerOutput: 2 },
  input: { width: 8, fraction: -2 },
  output: { width: 16, fraction: 11 },
  clockHz: 48_000_000,
};

/** The bytes that the module `identity` answers, address by address: bit `b` of a byte is in the tables from 3 b on. */
const payloadOf = (bitAt: (table: number, address: number) => number) =>
  Uint8Array.from({ length: 48 }, (_, at) =>
    Array.from({ length: 8 }, (_, bit) => bitAt(3 * bit + (at >> 4), at & 15) << bit).reduce(
      (byte, bit) => byte | bit,
    ),
  );

describe("identity", () => {
  it("is what a host reads from its tables, as data and as Verilog", () => {
    const tables = identityTables(identity);
    expect(tables.map((bits) => bits.length)).toEqual(Array.from({ length: 24 }, () => 16));
    const payload = payloadOf((table, address) => Number(tables[table]?.[address]));
    expect(parseIdentity(payload)).toEqual(identity);
    const verilog = renderTables(identity);
    const [, bits = ""] = /CONTENTS = 384'b([01]{384});/.exec(verilog) ?? [];
    expect(payloadOf((table, at) => Number(bits[383 - 16 * table - at]))).toEqual(payload);
    expect(verilog).toContain(identity.planDigest);
  });

  it.each([
    { inputBytes: 1, depth: 2 },
    { inputBytes: 4, depth: 4 },
    { inputBytes: 5, depth: 8 },
    { inputBytes: 784, depth: 1024 },
  ])("makes room for a request of $inputBytes bytes", ({ inputBytes, depth }) => {
    const verilog = identityModules({ ...identity.core, inputBytes });
    expect(verilog).toContain(`bytes [0:${depth - 1}]`);
  });

  it.each([
    { why: "is cut off", payload: new Uint8Array(47) },
    { why: "speaks another version", payload: new Uint8Array(48).fill(9) },
  ])("is refused when it $why", ({ payload }) => {
    expect(() => parseIdentity(payload)).toThrow(
      expect.objectContaining({ reason: "LINK_FAILED" }),
    );
  });
});
