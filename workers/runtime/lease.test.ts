import { beforeEach, describe, expect, it, vi } from "vitest";
import { type AppError, fail } from "@/lib/common/errors";
import { keepLease } from "./lease";

const renew = vi.fn();

const away = fail("STORE_UNAVAILABLE", "away");

function keep(patienceMs = 60_000) {
  const ends: string[] = [];
  const lease = keepLease({
    renewS: 0.01,
    patienceMs,
    renew,
    onEnd: ({ reason }: AppError) => ends.push(reason),
  });
  return { lease, ends };
}

beforeEach(() => {
  renew.mockReset();
});

describe("keepLease", () => {
  it("ends once, with what the renewal says", async () => {
    renew.mockResolvedValueOnce(null).mockResolvedValue(fail("CANCELLED", "Cancelled."));
    const { ends } = keep();
    await expect.poll(() => ends).toEqual(["CANCELLED"]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(ends).toHaveLength(1);
  });

  it("outlives a database that is away for a while", async () => {
    renew.mockRejectedValueOnce(away).mockRejectedValueOnce(away).mockResolvedValue(null);
    const { lease, ends } = keep();
    await expect.poll(() => renew.mock.calls.length).toBeGreaterThan(4);
    expect(ends).toEqual([]);
    lease.close();
  });

  it("gives up when it is away for too long", async () => {
    renew.mockRejectedValue(away);
    const { ends } = keep(40);
    await expect.poll(() => ends).toEqual(["LEASE_LOST"]);
  });

  it("asks no more when it is closed", async () => {
    renew.mockResolvedValue(null);
    const { lease } = keep();
    await expect.poll(() => renew).toHaveBeenCalled();
    lease.close();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { length } = renew.mock.calls;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(renew.mock.calls).toHaveLength(length);
  });
});
