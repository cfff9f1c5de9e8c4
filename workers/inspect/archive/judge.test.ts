import { buffer } from "node:stream/consumers";
import { deflateRawSync, gzipSync } from "node:zlib";
import { type Header, pack } from "tar-stream";
import { describe, expect, it } from "vitest";
import { judgeArchive } from "./judge";

/** A tar archive of these members; contents are one byte where they are files. */
async function tar(members: readonly Partial<Header>[]): Promise<Buffer> {
  const archive = pack();
  for (const { name = "a", ...header } of members) {
    const isFile = header.type === undefined || header.type === "file";
    archive.entry({ name, ...header }, isFile ? "x" : "");
  }
  archive.finalize();
  return buffer(archive);
}

/** Makes the first header's checksum right again. */
function checksum(bytes: Buffer): void {
  bytes.fill(" ", 148, 156);
  const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
}

interface ZipEntry {
  readonly name: string;
  readonly content?: string;
  readonly localName?: string;
  readonly attributes?: number;
  readonly flags?: number;
  readonly claims?: number;
  /** Where the directory says that it lies, if not where it does. */
  readonly offset?: number;
}

function zip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let position = 0;
  for (const entry of entries) {
    const content = Buffer.from(entry.content ?? "x");
    const packed = deflateRawSync(content);
    const local = header(0x04034b50, 30, entry.localName ?? entry.name, entry, packed, content);
    const central = header(0x02014b50, 46, entry.name, entry, packed, content);
    central.writeUInt8(3, 5);
    central.writeUInt32LE(entry.attributes ?? 0, 38);
    central.writeUInt32LE(entry.offset ?? position, 42);
    parts.push(local, packed);
    directory.push(central);
    position += local.length + packed.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(position, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

function header(
  magic: number,
  length: number,
  name: string,
  { flags = 0, claims }: ZipEntry,
  packed: Buffer,
  content: Buffer,
): Buffer {
  const bytes = Buffer.alloc(length);
  const at = length === 46 ? 8 : 6;
  bytes.writeUInt32LE(magic, 0);
  bytes.writeUInt16LE(flags, at);
  bytes.writeUInt16LE(8, at + 2);
  bytes.writeUInt32LE(crcOf(content), at + 8);
  bytes.writeUInt32LE(packed.length, at + 12);
  bytes.writeUInt32LE(claims ?? content.length, at + 16);
  bytes.writeUInt16LE(Buffer.byteLength(name), at + 20);
  return Buffer.concat([bytes, Buffer.from(name)]);
}

/** Bit by bit, so that it shares nothing with the code under test. */
function crcOf(bytes: Buffer): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffff_ffff) >>> 0;
}

const rejectedBy = (rule: string) =>
  expect.objectContaining({
    reason: "ARCHIVE_REJECTED",
    details: expect.objectContaining({ rule }),
  });
const invalid = expect.objectContaining({ reason: "ARCHIVE_INVALID" });

describe("tar archives", () => {
  const good = [{ name: "m/", type: "directory" as const }, { name: "m/saved_model.pb" }];

  it("are listed, packed or not", async () => {
    const bytes = await tar(good);
    const names = ["m/", "m/saved_model.pb"];
    expect(await judgeArchive(bytes, "tar")).toEqual(names);
    expect(await judgeArchive(gzipSync(bytes), "gzip")).toEqual(names);
  });

  it("may have long names, kept in members of their own", async () => {
    const name = `m/${"long-".repeat(30)}name`;
    expect(await judgeArchive(await tar([{ name }]), "tar")).toEqual([name]);
  });

  it("may have a name with its marks apart from their letters, as macOS writes them", async () => {
    const name = "mode\u0300le/cafe\u0301.pb";
    expect(name.normalize("NFC")).not.toBe(name);
    expect(await judgeArchive(await tar([{ name }]), "tar")).toEqual([name]);
  });

  it("keep archives within them closed, whatever those hold and expand to", async () => {
    const evil = zip([{ name: "../escaped" }, { name: "a", content: "0".repeat(4 * 2 ** 20) }]);
    const archive = pack();
    archive.entry({ name: "inner.zip" }, evil);
    archive.entry({ name: "inner.tar.gz" }, gzipSync(await tar([{ name: "/etc/passwd" }])));
    archive.finalize();
    const names = ["inner.zip", "inner.tar.gz"];
    expect(await judgeArchive(await buffer(archive), "tar")).toEqual(names);
    await expect(judgeArchive(evil, "zip")).rejects.toMatchObject({ reason: "ARCHIVE_REJECTED" });
  });

  it.each([
    ["parent", [{ name: "a/../../b" }]],
    ["absolute", [{ name: "/etc/passwd" }]],
    ["absolute", [{ name: "C:/x" }]],
    ["characters", [{ name: "a\\b" }]],
    ["characters", [{ name: "a\u0007" }]],
    ["empty-part", [{ name: "a//b" }]],
    ["dot-part", [{ name: "./a" }]],
    ["ending", [{ name: "a./b" }]],
    ["ending", [{ name: "a /b" }]],
    ["long-name", [{ name: `${"a".repeat(256)}` }]],
    ["long-name", [{ name: Array.from({ length: 5 }, () => "a".repeat(250)).join("/") }]],
    ["device-name", [{ name: "m/NUL.txt" }]],
    ["depth", [{ name: `${"a/".repeat(17)}b` }]],
    ["symbolic-link", [{ name: "a", type: "symlink" as const, linkname: "b" }]],
    ["hard-link", [{ name: "a", type: "link" as const, linkname: "/etc/passwd" }]],
    ["device", [{ name: "a", type: "character-device" as const }]],
    ["device", [{ name: "a", type: "block-device" as const }]],
    ["fifo", [{ name: "a", type: "fifo" as const }]],
    ["duplicate", [{ name: "a" }, { name: "A" }]],
    ["duplicate", [{ name: "a" }, { name: "a/b" }]],
    ["duplicate", [{ name: "a/b" }, { name: "a" }]],
    ["duplicate", [{ name: "caf\u00e9" }, { name: "cafe\u0301" }]],
    ["sparse", [{ name: "a", pax: { "GNU.sparse.major": "1" } }]],
    ["attributes", [{ name: "a", pax: { size: "99999999999" } }]],
  ])("are rejected by the rule %s: %j", async (rule, members) => {
    await expect(judgeArchive(await tar(members), "tar")).rejects.toEqual(rejectedBy(rule));
  });

  it.each([
    ["sparse", "S"],
    ["multi-volume", "M"],
    ["multi-volume", "V"],
    ["dump", "D"],
    ["kind", "9"],
  ])("are rejected by the rule %s for a member of the kind %s", async (rule, kind) => {
    const bytes = await tar([{ name: "a" }]);
    bytes.write(kind, 156, "latin1");
    checksum(bytes);
    await expect(judgeArchive(bytes, "tar")).rejects.toEqual(rejectedBy(rule));
  });

  it("with a name that is not UTF-8 are invalid", async () => {
    const bytes = await tar([{ name: "abc" }]);
    bytes[1] = 0xff;
    checksum(bytes);
    await expect(judgeArchive(bytes, "tar")).rejects.toEqual(invalid);
  });

  it("name the first member at fault", async () => {
    const bytes = await tar([{ name: "fine" }, { name: "../first" }, { name: "/second" }]);
    await expect(judgeArchive(bytes, "tar")).rejects.toMatchObject({
      message: expect.stringContaining("`../first`"),
    });
  });

  it("are rejected by what they expand to, whatever they claim", async () => {
    const bomb = gzipSync(Buffer.concat([await tar(good), Buffer.alloc(64 * 1024 * 1024)]));
    await expect(judgeArchive(bomb, "gzip")).rejects.toEqual(rejectedBy("expansion"));
  });

  it("are rejected by what a member claims, where the ratio would allow it", async () => {
    const bytes = Buffer.concat([await tar([{ name: "a" }]), Buffer.alloc(24 * 2 ** 20)]);
    bytes.write((5 * 2 ** 30).toString(8), 124);
    checksum(bytes);
    await expect(judgeArchive(bytes, "tar")).rejects.toMatchObject({
      message: expect.stringContaining("4 GiB"),
    });
  });

  it.each([
    ["cut off", (bytes: Buffer) => bytes.subarray(0, 700)],
    ["without an end", (bytes: Buffer) => bytes.subarray(0, -1024)],
    ["followed by something", (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(512, "x")])],
    [
      "with a wrong checksum",
      (bytes: Buffer) => Buffer.concat([Buffer.from("X"), bytes.subarray(1)]),
    ],
  ])("%s are invalid", async (_, damage) => {
    await expect(judgeArchive(damage(await tar(good)), "tar")).rejects.toEqual(invalid);
  });

  it.each([
    ["is no octal number", (header: Buffer) => header.write("00000000012x", 124)],
    ["begins with another bit than that of a binary one", (header: Buffer) => (header[124] = 0x81)],
    ["is negative", (header: Buffer) => header.fill(0xff, 124, 136)],
  ])("whose size %s are invalid", async (_, write) => {
    const bytes = await tar([{ name: "a" }]);
    write(bytes);
    checksum(bytes);
    const fault = {
      reason: "ARCHIVE_INVALID",
      message: expect.stringContaining("impossible size"),
    };
    await expect(judgeArchive(bytes, "tar")).rejects.toMatchObject(fault);
  });

  it("with a member after the end are invalid", async () => {
    const bytes = Buffer.concat([await tar(good), await tar([{ name: "late" }])]);
    await expect(judgeArchive(bytes, "tar")).rejects.toEqual(invalid);
  });

  it("with damaged compression are invalid", async () => {
    const bytes = gzipSync(await tar(good));
    await expect(judgeArchive(bytes.subarray(0, bytes.length - 12), "gzip")).rejects.toEqual(
      invalid,
    );
  });
});

describe("zip archives", () => {
  it("are listed", async () => {
    const bytes = zip([{ name: "config.json" }, { name: "w/", content: "" }, { name: "w/a" }]);
    expect(await judgeArchive(bytes, "zip")).toEqual(["config.json", "w/", "w/a"]);
  });

  it.each([
    ["parent", { name: "../a" }],
    ["symbolic-link", { name: "a", attributes: 0xa1ff0000 }],
    ["kind", { name: "a", attributes: 0x61ff0000 }],
    ["expansion", { name: "a", content: "0".repeat(4 * 1024 * 1024) }],
    ["size", { name: "a", claims: 0xffffffff }],
  ])("are rejected by the rule %s", async (rule, entry) => {
    await expect(judgeArchive(zip([entry]), "zip")).rejects.toEqual(rejectedBy(rule));
  });

  it.each([
    ["encrypted", zip([{ name: "a", flags: 1 }])],
    ["that lie about a size", zip([{ name: "a", claims: 2 }])],
    ["whose headers disagree", zip([{ name: "a", localName: "b" }])],
    ["with overlapping entries", zip([{ name: "a" }, { name: "a", offset: 0 }])],
    ["cut off", zip([{ name: "a" }]).subarray(0, 40)],
    ["followed by something", Buffer.concat([zip([{ name: "a" }]), Buffer.from("x")])],
  ])("%s are invalid", async (_, bytes) => {
    await expect(judgeArchive(bytes, "zip")).rejects.toEqual(invalid);
  });
});
