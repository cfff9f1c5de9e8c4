import { chromium } from "playwright-core";
const [,, what = "all"] = process.argv;
const base = "http://localhost:4310";
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
for (const [name, width, height, theme, lang] of [["l1440", 1440, 900, "light", "en"], ["d1440", 1440, 900, "dark", "it"], ["l390", 390, 844, "light","en"], ["d320", 320, 700, "dark","it"]]) {
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion: "reduce" });
  await context.addCookies([{ name: "theme", value: theme, url: base }, { name: "language", value: lang, url: base }]);
  const page = await context.newPage();
  const errs = []; page.on("console", m => m.type()==="error" && errs.push(m.text())); page.on("pageerror", e => errs.push(String(e)));
  await page.goto(base + "/deploy?sample=digits-mlp");
  await page.waitForTimeout(3500);
  await page.screenshot({ path: `/tmp/df/deploy-${name}.png` });
  await page.screenshot({ path: `/tmp/df/deploy-${name}-full.png`, fullPage: true });
  console.log(name, await page.evaluate(() => [document.documentElement.scrollHeight, document.documentElement.scrollWidth]), errs.slice(0,4));
  await context.close();
}
await browser.close();
