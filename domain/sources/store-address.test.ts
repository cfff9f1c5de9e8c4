import { describe, expect, it } from "vitest";
import type { SourceConnection } from "@/lib/common/contract";
import { parseStoreAddress } from "./store-address";

const lab: SourceConnection = {
  kind: "s3",
  name: "lab",
  endpoint: "https://minio.lab:9000",
  region: "us-east-1",
  // The last is a name of the installation's own, which stays so.
  buckets: ["models", "archive.2026", "artifacts"],
};
const projectId = "0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b3";
const parse = (url: string) => parseStoreAddress(url, { projectId, connections: [lab] });

describe("s3 addresses", () => {
  it.each([
    ["s3://models/x.onnx", "models", "x.onnx"],
    ["s3://models/year=2026/jets+qcd_(v2).onnx", "models", "year=2026/jets+qcd_(v2).onnx"],
    ["s3://archive.2026/größe/m.onnx", "archive.2026", "größe/m.onnx"],
  ])("%s is an object of the connection", (url, bucket, key) => {
    expect(parse(url)).toEqual({ bucket, key, connection: lab });
  });

  it.each([`s3://boardwalk-samples/iris/m.onnx`, `s3://uploads-${projectId}/abc`])(
    "%s is the installation's own",
    (url) => {
      expect(parse(url).connection).toBeNull();
    },
  );

  it.each([
    ["artifacts, though a connection claims them", "s3://artifacts/abc"],
    ["logs", "s3://logs/abc"],
    ["attempts", "s3://attempts/abc"],
    ["another project's uploads", "s3://uploads-0192f0c1-0000-7a4b-8c5d-6e7f8091a2b3/abc"],
    ["a bucket of nobody", "s3://others/x.onnx"],
    ["a bucket alone", "s3://models"],
    ["a folder", "s3://models/jets/"],
    ["a key that climbs", "s3://models/../artifacts/abc"],
    ["a key that stays", "s3://models/./x.onnx"],
    ["a query", "s3://models/x.onnx?versionId=1"],
    ["an escaped key", "s3://models/%2e%2e/x.onnx"],
    ["a key that turns text around", "s3://models/x\u202exnno.onnx"],
    ["a line end", "s3://models/x\n.onnx"],
    ["a login", "s3://key:secret@models/x.onnx"],
    ["an endless key", `s3://models/${"a".repeat(2000)}`],
  ])("of %s are refused, and the known buckets named", (_, url) => {
    expect(() => parse(url)).toThrow(
      expect.objectContaining({
        reason: "URL_NOT_ALLOWED",
        hint: expect.stringMatching(/boardwalk-samples.*s3:\/\/models\/…/),
      }),
    );
  });

  it("says which bucket has no connection", () => {
    expect(() => parse("s3://others/x.onnx")).toThrow(/"others"/);
  });
});
