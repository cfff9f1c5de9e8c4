import { describe, expect, it } from "vitest";
import { followRedirect, parseSourceUrl } from "./source-policy";

const policy = { allowedHosts: ["127.0.0.1:8443", "models.lab:80", "[::1]:8443"] };

describe("the policy for model URLs", () => {
  it.each([
    ["loopback", "https://127.0.0.1/m.onnx"],
    ["a short form", "https://127.1/m.onnx"],
    ["a hexadecimal form", "https://0x7f.1/m.onnx"],
    ["an octal form", "https://0177.0.0.1/m.onnx"],
    ["one decimal number", "https://2130706433/m.onnx"],
    ["full-width digits", "https://１２７.0.0.1/m.onnx"],
    ["percent-encoded digits", "https://%31%32%37.0.0.1/m.onnx"],
    ["a private network", "https://10.1.2.3/m.onnx"],
    ["carrier-grade NAT", "https://100.64.0.1/m.onnx"],
    ["link-local metadata", "https://169.254.169.254/latest/meta-data"],
    ["multicast", "https://224.0.0.1/m.onnx"],
    ["a mapped address", "https://[::ffff:127.0.0.1]/m.onnx"],
    ["a compatible address", "https://[::127.0.0.1]/m.onnx"],
    ["NAT64", "https://[64:ff9b::7f00:1]/m.onnx"],
    ["local NAT64", "https://[64:ff9b:1::7f00:1]/m.onnx"],
    ["6to4", "https://[2002:7f00:1::]/m.onnx"],
    ["Teredo", "https://[2001:0:7f00:1::]/m.onnx"],
    ["unique local IPv6", "https://[fd00::1]/m.onnx"],
    ["link-local IPv6", "https://[fe80::1]/m.onnx"],
    ["site-local IPv6", "https://[fec0::1]/m.onnx"],
    ["documentation IPv6", "https://[2001:db8::1]/m.onnx"],
    ["the empty address", "https://[::]/m.onnx"],
    ["localhost", "https://localhost/m.onnx"],
    ["a name below localhost", "https://a.localhost/m.onnx"],
    ["a bare name", "https://intranet/m.onnx"],
    ["a trailing dot", "https://example.com./m.onnx"],
    ["plain http", "http://example.com/m.onnx"],
    ["a file", "file:///etc/passwd"],
    ["data", "data:text/plain,hello"],
    ["another scheme", "gopher://example.com/"],
    ["a file server", "ftp://example.com/m.onnx"],
    ["a registry of images", "oci://example.com/models/iris:1"],
    ["user information", "https://user:secret@example.com/m.onnx"],
    ["a fragment", "https://example.com/m.onnx#part"],
    ["a backslash", "https://example.com\\@127.0.0.1/"],
    ["a line end", "https://example.com/m\n.onnx"],
    ["another port", "https://example.com:8443/m.onnx"],
    ["a listed host at another port", "https://127.0.0.1:8444/m.onnx"],
    ["no URL", "model.onnx"],
    ["endless text", `https://example.com/${"a".repeat(3000)}`],
  ])("refuses %s", (_, url) => {
    expect(() => parseSourceUrl(url, policy)).toThrow(
      expect.objectContaining({ reason: "URL_NOT_ALLOWED" }),
    );
  });

  it.each([
    "https://example.com/m.onnx",
    "https://8.8.8.8/m.onnx",
    "https://[2606:4700::1111]/m.onnx",
    "https://127.0.0.1:8443/m.onnx",
    "https://[::1]:8443/m.onnx",
    "http://models.lab/m.onnx",
  ])("takes %s", (url) => {
    expect(parseSourceUrl(url, policy).url.href).toBe(url);
  });

  it("says the same of every private address and nothing of what was asked", () => {
    const said = ["https://127.0.0.1/a", "https://10.0.0.1/b"].map((url) => {
      try {
        parseSourceUrl(url, policy);
        return "taken";
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(new Set(said).size).toBe(1);
    expect(said[0]).not.toContain("127");
  });

  it.each([
    "https://127.0.0.1/",
    "//10.0.0.1/m",
    "http://example.com/m.onnx",
    "ftp://example.com/",
    "https://user@example.com/",
    "https://[bad",
  ])("does not follow to %s", (location) => {
    const from = parseSourceUrl("https://example.com/m.onnx", policy);
    expect(() => followRedirect(location, from, policy)).toThrow(
      expect.objectContaining({ reason: "SOURCE_NOT_ALLOWED" }),
    );
  });

  it("follows a relative address", () => {
    const from = parseSourceUrl("https://example.com/a/m.onnx", policy);
    expect(followRedirect("../b.onnx#x", from, policy).url.href).toBe("https://example.com/b.onnx");
  });
});
