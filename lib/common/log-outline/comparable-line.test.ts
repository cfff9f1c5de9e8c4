import { describe, expect, it } from "vitest";
import { comparableLine } from "./comparable-line";

describe("a line as it is compared", () => {
  it.each([
    ["Info: SA placement time 0.05s", "Info: SA placement time 1.25s"],
    [
      "End of script. CPU: user 0.16s system 0.01s, MEM: 20.31 MB peak",
      "End of script. CPU: user 2.70s system 0.10s, MEM: 19.02 MB peak",
    ],
    ["Time spent: 46% 5x abc (0 sec), 9% 1x opt", "Time spent: 40% 1x opt (1 sec), 30% 5x abc"],
    ["reading /tmp/bw-host-12-build-Ab3/top.json", "reading /tmp/bw-host-99-build-zZ9/top.json"],
    [
      "Time (s): cpu = 00:00:01 ; elapsed = 00:00:02",
      "Time (s): cpu = 00:01:07 ; elapsed = 00:03:00",
    ],
    ["Generated on 2026-11-26T12:05:33Z", "Generated on 2026-11-27T01:00:00.123Z"],
    ["It is simulated at 51200 cycles a second.", "It is simulated at 49000 cycles a second."],
    ["\u001b[32mInfo:\u001b[0m  placed", "Info: placed"],
    [
      "The artifact of bld_01890000-0000-7000-8000-000000000000 is taken.",
      "The artifact of bld_01890000-0000-7000-8000-000000000001 is taken.",
    ],
  ])("is the same in equal runs: %s", (one, other) => {
    expect(comparableLine(one)).toBe(comparableLine(other));
  });

  it.each([
    ["Max frequency for clock 'clk': 48.20 MHz", "Max frequency for clock 'clk': 51.00 MHz"],
    ["Number of cells: 1361", "Number of cells: 1362"],
    ["reading /tmp/bw-a-1-build-x/top.json", "reading /tmp/bw-a-1-build-x/other.json"],
    ["lanes 4, 16 rows", "lanes 8, 16 rows"],
    ["setup slack 1.25 ns at clk", "hold slack 1.25 ns at clk"],
  ])("is not the same where the design differs: %s", (one, other) => {
    expect(comparableLine(one)).not.toBe(comparableLine(other));
  });

  it("keeps delays, which are the design's and not the run's", () => {
    expect(comparableLine("critical path 12.4 ns")).not.toBe(
      comparableLine("critical path 9.1 ns"),
    );
  });

  it("is made in time that grows with the line, whatever a tool prints", () => {
    const before = process.cpuUsage();
    for (const part of ["1", "/tmp/", "abc ", "bw-", "00:"]) comparableLine(part.repeat(100_000));
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });
});
