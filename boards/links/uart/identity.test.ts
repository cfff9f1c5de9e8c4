import { describe, expect, it } from "vitest";
import { type Identity, parseIdentity, renderIdentity } from "./identity";

const identity: Identity = {
  planDigest: `sha256:${"0123456789abcdef".repeat(4)}`,
  core: { inputBytes: 784, outputBytes: 20, bytesPerOutput: 2 },
  input: { width: 8, fraction: -2 },
  output: { width: 16, fraction: 11 },
  clockHz: 48_000_000,
};

/** The bytes that `identity.v` answers, address by address. */
function payloadOf(verilog: string): Uint8Array {
  const rows = [...verilog.matchAll(/7'd(\d+): data = 8'h([0-9a-f]{2});/g)];
  expect(rows.map(([, address]) => Number(address))).toEqual(rows.map((_, i) => i));
  return Uint8Array.from(rows, ([, , hex = ""]) => Number.parseInt(hex, 16));
}

describe("identity", () => {
  it("is what a host reads from the rendered Verilog", () => {
    const payload = payloadOf(renderIdentity(identity));
    expect(payload).toHaveLength(48);
    expect(parseIdentity(payload)).toEqual(identity);
  });

  it.each([
    { inputBytes: 1, depth: 2 },
    { inputBytes: 4, depth: 4 },
    { inputBytes: 5, depth: 8 },
    { inputBytes: 784, depth: 1024 },
  ])("makes room for a request of $inputBytes bytes", ({ inputBytes, depth }) => {
    const verilog = renderIdentity({ ...identity, core: { ...identity.core, inputBytes } });
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
