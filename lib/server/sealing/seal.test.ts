import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openSealed, seal } from "./seal";

const folder = mkdtempSync(join(tmpdir(), "sealing-"));
afterAll(() => rmSync(folder, { recursive: true }));

const context = ["0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b3", "s3", "https://store.test"];
const secret = '{"accessKey":"ana","secretKey":"pä:ss\\u0000"}';
let made = 0;
const fresh = () => join(folder, "keys", `${++made}.key`);
const line = (byte: number) => Buffer.alloc(32, byte).toString("base64");

describe("a sealed text", () => {
  it("opens again, holds nothing of what it hides, and is another one each time", async () => {
    const path = fresh();
    const sealed = await seal(secret, context, path);
    expect(await openSealed(sealed, context, path)).toBe(secret);
    expect(sealed).not.toContain("ana");
    expect(Buffer.from(sealed.split(".")[3] ?? "", "base64url").toString("latin1")).not.toContain(
      "accessKey",
    );
    expect(await seal(secret, context, path)).not.toBe(sealed);
  });

  it("is made with a key that its owner alone can read, one however many start at once", async () => {
    const path = fresh();
    const all = await Promise.all(Array.from({ length: 8 }, () => seal("x", context, path)));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(new Set(all.map((each) => each.split(".")[1])).size).toBe(1);
  });

  it("opens for what it is bound to alone", async () => {
    const path = fresh();
    const sealed = await seal(secret, context, path);
    for (const other of [
      ["0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b4", "s3", "https://store.test"],
      ["0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b3", "https", "https://store.test"],
      ["0192f0c1-2d3e-7a4b-8c5d-6e7f8091a2b3", "s3", "https://evil.test"],
      [...context, ""],
    ]) {
      await expect(openSealed(sealed, other, path)).rejects.toMatchObject({
        reason: "SECRET_UNREADABLE",
      });
    }
  });

  it("that was changed anywhere is refused, and nothing of it is shown", async () => {
    const path = fresh();
    const sealed = await seal(secret, context, path);
    const [form, id, nonce, body = ""] = sealed.split(".");
    const flipped = Buffer.from(body, "base64url");
    flipped[0] = (flipped[0] ?? 0) ^ 1;
    const short = Buffer.from(body, "base64url").subarray(0, -1).toString("base64url");
    for (const bad of [
      [form, id, nonce, flipped.toString("base64url")],
      [form, id, "AAAAAAAAAAAAAAAA", body],
      [form, id, "", body],
      [form, id, nonce, short],
      [form, id, nonce, ""],
      ["v2", id, nonce, body],
    ]) {
      await expect(openSealed(bad.join("."), context, path)).rejects.toMatchObject({
        reason: "SECRET_UNREADABLE",
        message: expect.not.stringContaining("ana"),
      });
    }
  });

  it("is sealed with the first key and opened with any", async () => {
    const path = fresh();
    const before = await seal(secret, context, path);
    writeFileSync(path, `# since today\n${line(7)}\n\n${readFileSync(path, "utf8")}`);
    const after = await seal(secret, context, path);
    expect(after.split(".")[1]).not.toBe(before.split(".")[1]);
    for (const each of [before, after]) expect(await openSealed(each, context, path)).toBe(secret);
  });

  it.each([
    ["another key", () => `${line(9)}\n`, /does not hold the key [0-9a-f]{16}/],
    ["no key", () => "# none\n", /does not hold the key/],
    ["a key that is too short", () => `${Buffer.alloc(16).toString("base64")}\n`, /in line 1/],
    ["text", () => `\nhunter2\n`, /in line 2/],
  ])("says what to do where the file holds %s", async (_, content, words) => {
    const path = fresh();
    const sealed = await seal(secret, context, path);
    writeFileSync(path, content());
    await expect(openSealed(sealed, context, path)).rejects.toMatchObject({
      reason: "SEALING_KEY_INVALID",
      message: expect.stringMatching(words),
      hint: expect.stringContaining("CONNECTION_KEY_FILE"),
    });
  });

  it("says so where the file is gone", async () => {
    const path = fresh();
    const sealed = await seal(secret, context, path);
    rmSync(path);
    await expect(openSealed(sealed, context, path)).rejects.toMatchObject({
      reason: "SEALING_KEY_INVALID",
      message: expect.stringContaining("is not there"),
    });
  });
});
