import { test as base } from "@playwright/test";
import { type Installation, startInstallation } from "@/tests/support/installation";

/** A test with a whole Boardwalk behind it, which all journeys share; its pages open there. */
export const test = base.extend<object, { installation: Installation }>({
  installation: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern
    async ({}, use) => {
      const installation = await startInstallation("journeys");
      await use(installation);
      await installation.stop();
    },
    { scope: "worker", timeout: 180_000 },
  ],
  baseURL: async ({ installation }, use) => use(installation.portalUrl),
});

export { expect } from "@playwright/test";
