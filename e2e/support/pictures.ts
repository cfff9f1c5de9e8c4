import { mkdir } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const folder = "e2e/screenshots";

/**
 * Looks at a page as it stands at three widths, at none of which it may spill. In a run with `--pictures` each is written in both
 * themes; hundreds take minutes.
 */
export async function takePictures(page: Page, name: string): Promise<void> {
  const isWritten = process.env["PICTURES"] === "1";
  if (isWritten) await mkdir(folder, { recursive: true });
  for (const theme of isWritten ? ["light", "dark"] : ["dark"]) {
    await page.evaluate((value) => {
      document.documentElement.dataset["theme"] = value;
    }, theme);
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.waitForTimeout(300);
      if (isWritten)
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
