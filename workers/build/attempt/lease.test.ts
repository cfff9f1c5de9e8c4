import { beforeEach, describe, expect, it, vi } from "vitest";
import { type AppError, fail } from "@/lib/common/errors";
import { insist } from "./insist";
import { keepLease } from "./lease";

const { renewLease } = vi.hoisted(() => ({ renewLease: vi.fn() }));
vi.mock("@/domain/builds", () => ({ renewLease }));

const held = { held: true, cancelRequested: false, deadlinePassed: false };
const away = fail("STORE_UNAVAILABLE", "away");

function keep(patienceMs = 60_000) {
  const ends: string[] = [];
  const lease = keepLease({
    buildId: "b",
    epoch: 1,
    leaseS: 15,
    renewS: 0.01,
    patienceMs,
    onEnd: ({ reason }: AppError) => ends.push(reason),
  });
  return { lease, ends };
}

beforeEach(() => {
  renewLease.mockReset();
});

describe("keepLease", () => {
  it.each([
    ["LEASE_LOST", { ...held, held: false }],
    ["CANCELLED", { ...held, cancelRequested: true }],
    ["BUILD_TIMED_OUT", { ...held, deadlinePassed: true }],
  ])("ends once with %s", async (reason, state) => {
    renewLease.mockResolvedValueOnce(held).mockResolvedValue(state);
    const { ends } = keep();
    await vi.waitFor(() => expect(ends).toEqual([reason]));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(ends).toHaveLength(1);
  });

  it("outlives a database that is away for a while", async () => {
    renewLease.mockRejectedValueOnce(away).mockRejectedValueOnce(away).mockResolvedValue(held);
    const { lease, ends } = keep();
    await vi.waitFor(() => expect(renewLease.mock.calls.length).toBeGreaterThan(4));
    expect(ends).toEqual([]);
    lease.close();
  });

  it("gives up when it is away for too long", async () => {
    renewLease.mockRejectedValue(away);
    const { ends } = keep(40);
    await vi.waitFor(() => expect(ends).toEqual(["LEASE_LOST"]));
  });

  it("asks no more when it is closed", async () => {
    renewLease.mockResolvedValue(held);
    const { lease } = keep();
    await vi.waitFor(() => expect(renewLease).toHaveBeenCalled());
    lease.close();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { length } = renewLease.mock.calls;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(renewLease.mock.calls).toHaveLength(length);
  });
});

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

  it("ends with its signal", async () => {
    const signal = AbortSignal.timeout(30);
    const write = vi.fn().mockRejectedValue(away);
    await expect(insist(signal, write)).rejects.toMatchObject({ name: "TimeoutError" });
  });
});
