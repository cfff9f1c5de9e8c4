import { mkdtempSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openAdoptions, openCommand } from "@/board-server/artifacts/verify";
import { createFrameLink } from "@/gateway/transport/frame-link";
import { signedAdoptionsSchema, signedCommandSchema } from "@/lib/common/contract";
import { admitKeys, loadKeyPair } from "@/lib/server/board-protocol";
import { adoptionsBy, irisArtifact, loadOf, makeSigner, signedBy } from "./support/artifacts";

const signer = makeSigner();
const trust = { serverId: "bsv_test", keys: signer.keys };

/** What a board server does with bytes that came: the command it would carry out, or null. */
function received(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return openCommand(signedCommandSchema.parse(JSON.parse(text)), trust);
  } catch {
    return null;
  }
}

describe("a command", () => {
  const load = loadOf(irisArtifact(), signer);
  const unload = { kind: "unload", id: "c", slotId: "slt_1", slotEpoch: 7 } as const;

  const test = { kind: "self-test", id: "t", slotId: "slt_1", slotEpoch: 7 } as const;

  it.each([
    ["load", load],
    ["unload", unload],
    ["test again", test],
  ])(
    "to %s is refused whichever of its bits is another one",
    (_, command) => {
      const bytes = Buffer.from(JSON.stringify(signedBy(signer, command)));
      expect(received(bytes)).toEqual(command);
      const passed: string[] = [];
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        if (received(bytes) !== null) passed.push(bytes.toString());
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      }
      expect(passed).toEqual([]);
    },
    120_000,
  );

  it("is for one board server, and from a key that is pinned there", () => {
    expect(() => openCommand(signedBy(signer, load, "bsv_other"), trust)).toThrow(
      expect.objectContaining({ reason: "SIGNATURE_INVALID" }),
    );
    const stranger = signedBy(makeSigner(), load);
    expect(() => openCommand(stranger, trust)).toThrow(
      expect.objectContaining({ reason: "SIGNATURE_INVALID" }),
    );
    expect(() => openCommand(signedBy(makeSigner("key-2"), load), trust)).toThrow(/not pinned/);
  });
});

describe("the boards that were adopted", () => {
  const boards = [
    { key: "a-1", sighting: "0403:6010:x", boardModel: "icebreaker", serialPort: "/dev/ttyUSB1" },
  ];
  const poll = { ...trust, nonce: "n1" };
  const opened = (bytes: Uint8Array): unknown => {
    try {
      return openAdoptions(signedAdoptionsSchema.parse(JSON.parse(String(bytes))), poll);
    } catch {
      return null;
    }
  };

  it("are refused whichever of their bits is another one", () => {
    const bytes = Buffer.from(JSON.stringify(adoptionsBy(signer, boards, "n1")));
    expect(opened(bytes)).toEqual(boards);
    const passed: string[] = [];
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      if (opened(bytes) !== null) passed.push(bytes.toString());
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    }
    expect(passed).toEqual([]);
  });

  it.each([
    ["an older poll", { ...poll, nonce: "n2" }],
    ["another server", { ...poll, serverId: "bsv_other" }],
    ["a stranger", { ...poll, keys: makeSigner().keys }],
    ["no pinned key", { ...poll, keys: [] }],
  ])("are refused as words of or to %s", (_, wanted) => {
    expect(() => openAdoptions(adoptionsBy(signer, boards, "n1"), wanted)).toThrow(
      expect.objectContaining({ reason: "SIGNATURE_INVALID" }),
    );
  });
});

describe("pinned keys", () => {
  it("are joined by those that one of them vouches for, and by no others", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "bw-keys-")), "control.pem");
    const publicHalf = async () => {
      const { sign: _, ...key } = await loadKeyPair(file);
      return key;
    };
    const first = await publicHalf();
    expect(await publicHalf()).toEqual(first);
    const pinned = admitKeys([], [first]);
    expect(pinned).toEqual([first]);
    expect(admitKeys(pinned, makeSigner().keys)).toBe(pinned);
    expect(admitKeys(pinned, [])).toBe(pinned);

    renameSync(file, `${file}.previous`);
    const second = await publicHalf();
    expect(second.keyId).not.toBe(first.keyId);
    expect(admitKeys(pinned, [second])).toEqual([first, second]);
    const forged = { ...second, publicKey: makeSigner().keys[0]?.publicKey ?? "" };
    expect(admitKeys(pinned, [forged])).toBe(pinned);
    expect(admitKeys(pinned, [{ ...first, publicKey: forged.publicKey }])).toBe(pinned);
  });
});

describe("the gateway's way to a board server", () => {
  it.each(["192.0.2.7", "example.com", "0.0.0.0", "127.0.0.1.example.com", "::ffff:192.0.2.7"])(
    "is refused in the clear to %s",
    async (host) => {
      const link = createFrameLink();
      const address = { kind: "tcp", host, port: 9 } as const;
      await expect(link.ping(address, AbortSignal.timeout(1000))).rejects.toMatchObject({
        reason: "LINK_INSECURE",
      });
      await link.close();
    },
  );

  it.each(["127.0.0.1", "127.9.9.9", "localhost", "[::1]"])("is tried to %s", async (host) => {
    const link = createFrameLink();
    const address = { kind: "tcp", host, port: 9 } as const;
    const refused = link.ping(address, AbortSignal.timeout(1000));
    await expect(refused).rejects.not.toMatchObject({ reason: "LINK_INSECURE" });
    await link.close();
  });
});
