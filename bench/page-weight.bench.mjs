// Script that a browser loads first, page by page, compressed as a server would send it, beside the budget of 250 KiB.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { root } from "../scripts/lib/home.mjs";

const budget = 250 * 1024;
const portal = process.argv[2] ?? "http://localhost:3000";
const browser = await chromium.launch({
  executablePath: process.env.E2E_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
const page = await browser.newPage();
let over = false;
for (const path of ["/", "/deploy", "/builds", "/boards", "/endpoints", "/endpoints/iris-mlp"]) {
  const scripts = new Set();
  page.on("response", (answer) => {
    if (answer.request().resourceType() === "script") scripts.add(new URL(answer.url()).pathname);
  });
  await page.goto(`${portal}${path}`, { waitUntil: "load" });
  const first = [...scripts];
  await page.waitForLoadState("networkidle").catch(() => {});
  const weigh = (names) =>
    names.reduce((sum, name) => {
      const file = join(root, name.replace("/_next/", ".next/"));
      return sum + (existsSync(file) ? gzipSync(readFileSync(file)).length : 0);
    }, 0);
  const bytes = weigh(first);
  over ||= bytes > budget;
  process.stdout.write(
    `${path.padEnd(24)} ${(bytes / 1024).toFixed(0).padStart(5)} KiB first, ${(weigh([...scripts]) / 1024).toFixed(0).padStart(5)} KiB in all, budget ${budget / 1024} KiB, ratio ${(bytes / budget).toFixed(2)}\n`,
  );
  page.removeAllListeners("response");
}
await browser.close();
process.exit(over ? 1 : 0);
