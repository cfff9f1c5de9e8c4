import { createPublicKey, verify } from "node:crypto";
import { mkdtempSync, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadArtifactKey } from "./artifact-key";

const newPath = () => join(mkdtempSync(join(tmpdir(), "key-")), "keys/signing.pem");
const digest = `sha256:${"ab".repeat(32)}` as const;

describe("loadArtifactKey", () => {
  it("makes a key that only its owner can read, once", async () => {
    const path = newPath();
    const [first, second] = await Promise.all([loadArtifactKey(path), loadArtifactKey(path)]);
    const third = await loadArtifactKey(path);
    expect(new Set([first.keyId, second.keyId, third.keyId]).size).toBe(1);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(path))).toEqual(["signing.pem"]);
  });

  it("signs so that its public half can tell", async () => {
    const key = await loadArtifactKey(newPath());
    const { signature, keyId } = key.sign(digest);
    const x = Buffer.from(key.publicKey, "base64").toString("base64url");
    const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    const bytes = Buffer.from(signature, "base64");
    expect(keyId).toBe(key.keyId);
    expect(verify(null, Buffer.from(digest), publicKey, bytes)).toBe(true);
    expect(verify(null, Buffer.from(digest.replace("a", "b")), publicKey, bytes)).toBe(false);
  });
});
