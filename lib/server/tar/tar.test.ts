import { describe, expect, it } from "vitest";
import { readTar, tarEnd, tarHeader, tarPadding } from ".";

const long = `objects/uploads-00000000-0000-7000-8000-000000000001/${"a".repeat(64)}`;
const files: readonly (readonly [string, Buffer])[] = [
  ["a", Buffer.from("first")],
  [long, Buffer.alloc(1537, 7)],
  ["empty", Buffer.alloc(0)],
];
const archive = Buffer.concat([
  ...files.flatMap(([name, bytes]) => [
    tarHeader(name, bytes.length),
    bytes,
    tarPadding(bytes.length),
  ]),
  tarEnd,
]);

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function filesOf(bytes: Buffer, size = 700) {
  const found: [string, Buffer][] = [];
  for await (const { name, body } of readTar(inPieces(bytes, size))) {
    const parts: Buffer[] = [];
    for await (const part of body) parts.push(part);
    found.push([name, Buffer.concat(parts)]);
  }
  return found;
}

describe("a tar", () => {
  it.each([1, 511, 512, 700, 1 << 20])(
    "gives its files back in pieces of %i bytes",
    async (size) => {
      expect(await filesOf(archive, size)).toEqual(files);
    },
  );

  it("passes over what nobody reads", async () => {
    const names: string[] = [];
    for await (const { name } of readTar(inPieces(archive, 100))) names.push(name);
    expect(names).toEqual(files.map(([name]) => name));
  });

  it("holds files beyond 8 GiB", async () => {
    const sizeBytes = 2 ** 40 + 3;
    const header = Buffer.from(tarHeader("huge", sizeBytes));
    for await (const member of readTar(inPieces(header, 512))) {
      expect(member.sizeBytes).toBe(sizeBytes);
      break;
    }
  });

  it.each([
    ["cut in a header", archive.subarray(0, 300)],
    ["cut in a file", archive.subarray(0, 1300)],
    ["without its end", archive.subarray(0, -1024)],
    ["without half of its end", archive.subarray(0, -512)],
    ["with something behind it", Buffer.concat([archive, Buffer.from("x")])],
    ["with a flipped bit in a header", Buffer.from(archive).fill("b", 0, 1)],
    ["with a flipped bit in its padding", Buffer.from(archive).fill(1, 600, 601)],
    ["of something else", Buffer.alloc(2048, "x")],
    ["of nothing", Buffer.alloc(0)],
  ])("%s is refused", async (_what, bytes) => {
    await expect(filesOf(Buffer.from(bytes))).rejects.toMatchObject({ reason: "ARCHIVE_INVALID" });
  });
});
