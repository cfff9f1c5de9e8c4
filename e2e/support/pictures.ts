import { mkdir } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const folder = "e2e/screenshots";

/** Pictures of a page as it stands in both themes and three widths, at none of which it may spill. */
export async function takePictures(page: Page, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const theme of ["light", "dark"]) {
    await page.evaluate((value) => {
      document.documentElement.dataset["theme"] = value;
    }, theme);
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForTimeout(300);
      await page.screenshot({ path: `${folder}/${name}-${theme}-${width}.png`, fullPage: true });
      const spill = () =>
        page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
      await expect.poll(spill, { message: `${name} at ${width}` }).toBeLessThanOrEqual(0);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}
