import { defineConfig } from "@playwright/test";
import { chromiumLaunch } from "./e2e/support/chromium";

/** Journeys of people through a whole installation, by Playwright's own runner: `npm run test:journeys`. Traces of failures stay in `.boardwalk/journeys`. */
export default defineConfig({
  testDir: "e2e/journeys",
  outputDir: ".boardwalk/journeys",
  workers: 1,
  timeout: 900_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  reporter: [
    ["list"],
    ["json", { outputFile: process.env["JOURNEYS_REPORT"] ?? ".boardwalk/journeys.json" }],
  ],
  use: {
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    launchOptions: chromiumLaunch,
  },
});
