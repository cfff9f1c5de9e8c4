import { describe, expect, it, vi } from "vitest";
import { fail } from "@/lib/common/errors";
import { insist } from "./insist";

const away = fail("STORE_UNAVAILABLE", "away");

describe("insist", () => {
  const never = new AbortController().signal;

  it("writes again when the store is back", async () => {
    const write = vi.fn().mockRejectedValueOnce(away).mockResolvedValue("done");
    expect(await insist(never, write)).toBe("done");
    expect(write).toHaveBeenCalledTimes(2);
  });

  it("gives any other reason on at once", async () => {
    const write = vi.fn().mockRejectedValue(fail("LEASE_LOST", "newer epoch"));
    await expect(insist(never, write)).rejects.toMatchObject({ reason: "LEASE_LOST" });
    expect(write).toHaveBeenCalledOnce();
  });

  it("gives up on a store that is away for longer than it may, with what that says", async () => {
    const write = vi.fn().mockRejectedValue(away);
    await expect(insist(never, write, { patienceMs: 400 })).rejects.toBe(away);
    expect(write.mock.calls.length).toBeGreaterThan(1);
  });

  it("ends with its signal", async () => {
    const signal = AbortSignal.timeout(30);
    const write = vi.fn().mockRejectedValue(away);
    await expect(insist(signal, write)).rejects.toMatchObject({ name: "TimeoutError" });
  });
});
