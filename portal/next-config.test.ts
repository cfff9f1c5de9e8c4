import { PHASE_PRODUCTION_SERVER } from "next/constants";
import loadConfig from "next/dist/server/config";
import { describe, expect, it } from "vitest";

describe("what Next.js is told", () => {
  it("fetches no image of anybody else, and says nothing of itself", async () => {
    const config = await loadConfig(PHASE_PRODUCTION_SERVER, process.cwd());
    expect(config.images).toMatchObject({
      remotePatterns: [],
      domains: [],
      dangerouslyAllowSVG: false,
      dangerouslyAllowLocalIP: false,
    });
    expect(config.poweredByHeader).toBe(false);
  });
});
