import { describe, expect, it } from "vitest";
import { z } from "zod";
import { pace } from "./fragments";

describe("the pace of leases", () => {
  const { LEASE_S, RENEW_S, SWEEP_S } = z.object(pace).parse({});

  it("gives a killed worker's build to another within 12 seconds, though it was killed as it began", () => {
    expect(LEASE_S + SWEEP_S).toBeLessThan(12);
  });

  it("takes no build from a worker that stands still for 5 seconds, or whose renewal fails twice", () => {
    expect(LEASE_S - RENEW_S).toBeGreaterThan(5);
    expect(LEASE_S).toBeGreaterThan(3 * RENEW_S);
  });
});
