import { stat } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { hashPassword, isPassword } from "./password";

describe("a password that is kept", () => {
  it("is salted, stretched, and found again in whichever form it was typed", async () => {
    const typed = "caffè \u0065\u0301clair 東京 spaß";
    const [one, two] = await Promise.all([hashPassword(typed), hashPassword(typed)]);
    expect(one).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(one).not.toBe(two);
    expect(await isPassword(typed.normalize("NFC"), one)).toBe(true);
    expect(await isPassword(`${typed} `, one)).toBe(false);
  });

  it.each(["", "scrypt", "plain$text", "scrypt$15$8$3$$", "bcrypt$15$8$3$aa$bb"])(
    "as %j is nobody's",
    async (hash) => {
      expect(await isPassword("anything at all", hash)).toBe(false);
    },
  );

  it("is stretched for many at once, two at a time", async () => {
    const hash = await hashPassword("many at once");
    const found = await Promise.all(
      Array.from(
        { length: 12 },
        async (_, n) => await isPassword(n % 2 ? "many at once" : "x", hash),
      ),
    );
    expect(found.filter(Boolean)).toHaveLength(6);
  });

  it("leaves threads to files and connections, however many are stretched", async () => {
    const ended: string[] = [];
    const hashes = Array.from({ length: 12 }, async () => {
      await hashPassword("many at once");
      ended.push("a hash");
    });
    await stat(".");
    ended.push("a file");
    await Promise.all(hashes);
    expect(ended[0]).toBe("a file");
  });

  it("is not stretched for whoever comes behind very many, and is again later", async () => {
    const asked = Array.from({ length: 60 }, async () => await hashPassword("many more"));
    const ends = await Promise.allSettled(asked);
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(34);
    for (const end of ends)
      if (end.status === "rejected") expect(end.reason).toMatchObject({ reason: "RATE_LIMITED" });
    expect(await hashPassword("once more")).toMatch(/^scrypt/);
  });
});
