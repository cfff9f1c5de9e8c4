import { describe, expect, it } from "vitest";
import { readPlainHead } from "./read-head";

const lines = ["POST /v2/models/m/infer HTTP/1.1", "Host: localhost:8000", "Content-Length: 12"];
const head = (...more: string[]) => `${[...lines, ...more].join("\r\n")}\r\n\r\n`;

describe("a plain head", () => {
  it("has its path, its headers by lower-case name, and the length of its body", () => {
    expect(readPlainHead(head("X-Any:  some words \t", "empty:"))).toEqual({
      target: "/v2/models/m/infer",
      headers: { host: "localhost:8000", "content-length": "12", "x-any": "some words", empty: "" },
      bodyBytes: 12,
    });
  });

  it.each([["Connection: keep-alive"], ["connection: Keep-Alive"]])("may say '%s'", (line) => {
    expect(readPlainHead(head(line))?.bodyBytes).toBe(12);
  });

  it.each([
    ["a coding of its transfer", "Transfer-Encoding: chunked"],
    ["a second length", "Content-Length: 12"],
    ["a second host", "host: localhost:8000"],
    ["a wish for a go-ahead", "Expect: 100-continue"],
    ["a packed body", "Content-Encoding: gzip"],
    ["an upgrade", "Upgrade: h2c"],
    ["the end of the connection", "Connection: close"],
    ["names of headers for one hop", "Connection: keep-alive, x-any"],
    ["a page of another site", "Origin: https://evil.test"],
    ["a space before the colon", "X-Any : a"],
    ["a folded line", "X-Any: a\r\n b"],
    ["a bare line feed", "X-Any: a\nX-Other: b"],
    ["a bare carriage return", "X-Any: a\rb"],
    ["a control character", "X-Any: a\0b"],
    ["a letter beyond ASCII", "X-Any: é"],
    ["a header without a name", ": a"],
    ["a line that is no header", "words"],
    ["the name of a prototype", "__proto__: a"],
  ])("is none with %s", (_what, line) => {
    expect(readPlainHead(head(line))).toBeNull();
  });

  it.each([
    ["another method", head().replace("POST", "GET")],
    ["an older version", head().replace("1.1", "1.0")],
    ["escapes in its path", head().replace("/m/", "/%6d/")],
    ["a query", head().replace("infer", "infer?a=%00")],
    ["a whole address", head().replace(" /v2", " http://localhost/v2")],
    ["no host", head().replace("Host", "Hosts")],
    ["no length", head().replace("Length", "Lengths")],
    ["a length with a sign", head().replace(": 12", ": +12")],
    ["a length in hexadecimal", head().replace(": 12", ": 0x12")],
    ["33 headers", head(...Array.from({ length: 31 }, (_, at) => `x-${at}: a`))],
  ])("is none with %s", (_what, text) => {
    expect(readPlainHead(text)).toBeNull();
  });
});
