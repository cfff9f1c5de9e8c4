import type { Page } from "playwright-core";
import { withResolvers } from "@/tests/support/with-resolvers";

/** Keeps the scripts of the next pages back, as a slow connection does, until what is returned is called. */
export async function holdScripts(page: Page): Promise<() => Promise<void>> {
  const scripts = /\/_next\/static\/.*\.js/;
  const { promise: released, resolve: release } = withResolvers();
  await page.route(scripts, async (route) => {
    await released;
    await route.continue();
  });
  return async () => {
    release();
    await page.unrouteAll({ behavior: "wait" });
  };
}
