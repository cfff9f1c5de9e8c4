import { describe, expect, it } from "vitest";
import { oci, parseLayerAddress } from "./oci";

const digest = `sha256:${"0a".repeat(32)}`;

describe("an address in a registry", () => {
  it.each([
    ["oci://ghcr.io/lab/jets:v1", "ghcr.io", "lab/jets", { tag: "v1" }, null],
    ["oci://ghcr.io/jets", "ghcr.io", "jets", { tag: "latest" }, null],
    [
      "oci://127.0.0.1:5000/a/b__c/d-e.f:V1.2_x",
      "127.0.0.1:5000",
      "a/b__c/d-e.f",
      { tag: "V1.2_x" },
      null,
    ],
    ["oci://[::1]:5000/jets:v1", "[::1]:5000", "jets", { tag: "v1" }, null],
    [`oci://ghcr.io/lab/jets@${digest}`, "ghcr.io", "lab/jets", { digest }, null],
    [
      "oci://ghcr.io/lab/jets:v1#a/größe 1.onnx",
      "ghcr.io",
      "lab/jets",
      { tag: "v1" },
      "a/größe 1.onnx",
    ],
  ])("%s is read", (address, host, repository, reference, title) => {
    expect(parseLayerAddress(address)).toEqual({ host, repository, reference, title });
  });

  it.each([
    "oci://ghcr.io",
    "oci://ghcr.io/",
    "oci:///jets:v1",
    "oci://ghcr.io/Jets:v1",
    "oci://ghcr.io/../v2:v1",
    "oci://ghcr.io/a//b:v1",
    "oci://ghcr.io/a/b:",
    "oci://ghcr.io/a/b:-v1",
    `oci://ghcr.io/a/b:${"v".repeat(129)}`,
    "oci://ghcr.io/a/b:v1/../../x",
    "oci://ghcr.io/a/b:v1?x=1",
    "oci://ghcr.io/a/b:v1#",
    "oci://ghcr.io/a/b:v1#a#b",
    "oci://ghcr.io/a/b:v1#a\nb",
    "oci://ghcr.io/a/b@sha256:0a",
    "oci://ghcr.io/a/b@sha512:0a",
    "oci://user:password@ghcr.io/a/b:v1",
    "oci://ghcr.io:99999999/a:v1",
    "OCI://ghcr.io/a:v1",
    `oci://ghcr.io/${"a/".repeat(2000)}b:v1`,
  ])("%s is refused", (address) => {
    expect(() => parseLayerAddress(address)).toThrow(
      expect.objectContaining({ reason: "URL_NOT_ALLOWED" }),
    );
  });

  it("leads to the registry of its very host and port", () => {
    const place = { registry: "https://ghcr.io" };
    const leading = (address: string) => oci.leadsTo(address, place);
    expect(leading("oci://ghcr.io/a:v1")).toBe(true);
    expect(leading("oci://ghcr.io:443/a:v1")).toBe(true);
    for (const other of [
      "oci://ghcr.io:8443/a",
      "oci://xghcr.io/a",
      "oci://ghcr.io.evil.com/a",
      "oci://a@ghcr.io/a",
      "hf://ghcr.io/a/b",
    ])
      expect(leading(other), other).toBe(false);
  });

  it("shows its login to two hosts at most", () => {
    expect(
      oci.origins({ registry: "https://registry-1.docker.io", tokenHost: "auth.docker.io:443" }),
    ).toEqual(["https://registry-1.docker.io", "https://auth.docker.io"]);
  });
});
