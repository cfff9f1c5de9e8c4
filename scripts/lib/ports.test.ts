import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { freePort, isPortFree } from "./ports.mjs";

describe("a free port", () => {
  it("is none that a system hands to connections, is free, and is never given twice", async () => {
    const ports = await Promise.all(Array.from({ length: 200 }, () => freePort()));
    expect(new Set(ports).size).toBe(200);
    expect(Math.min(...ports)).toBeGreaterThanOrEqual(15_000);
    expect(Math.max(...ports)).toBeLessThan(32_768);
    expect(await isPortFree(ports[0] as number)).toBe(true);
  });

  it("is free no longer once something listens on it", async () => {
    const port = await freePort();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    expect(await isPortFree(port)).toBe(false);
    await new Promise((resolve) => server.close(resolve));
  });
});
