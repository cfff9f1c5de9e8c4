import { setTimeout as delay } from "node:timers/promises";
import type { CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appendLog } from "@/domain/builds";
import type { LogLine } from "@/lib/common/contract";
import { closeDatabase } from "@/lib/server/db";
import { until } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { tellBuild } from "@/tests/support/story";
import { openPage } from "./pages";
import { openBrowser, type Visit } from "./support/browser";

// Browsers freeze tabs that nobody looks at. A log that went on meanwhile is whole once somebody does.

let installation: Installation;
let visit: Visit;
let page: Page;
let devices: CDPSession;
let build = "";
let lines = 0;

/** So many more lines of a running tool, as its worker writes them. */
async function write(count: number): Promise<void> {
  const next = Array.from({ length: count }, (_, index): LogLine => {
    const n = lines + index + 1;
    const text = `route ${n} of net core.mac[${n % 64}]`;
    const time = new Date().toISOString();
    return { n, time, stage: "place", stream: "stdout", level: "info", text };
  });
  lines += count;
  await appendLog(build.slice("bld_".length), 1, next);
}

beforeAll(async () => {
  installation = await startInstallation("e2e-sleeping-tab");
  Object.assign(process.env, installation.variables);
  build = await tellBuild(installation.variables["DATABASE_URL"] ?? "", {
    stages: [],
    lines: [],
    problem: null,
  });
  await write(100);
  visit = await openBrowser({ baseURL: installation.portalUrl, reducedMotion: "reduce" });
  page = visit.page;
  devices = await visit.browser.newBrowserCDPSession();
  await openPage(page, `/builds/${build}`);
  await log().getByText("route 100 of").waitFor();
  await page.evaluate(() => {
    const { dataset } = document.documentElement;
    let last = Date.now();
    dataset["longestSleepMs"] = "0";
    setInterval(() => {
      dataset["longestSleepMs"] = String(
        Math.max(Number(dataset["longestSleepMs"]), Date.now() - last),
      );
      last = Date.now();
    }, 100);
  });
});

afterAll(async () => {
  await visit?.browser.close();
  await closeDatabase();
  await installation?.stop();
});

const log = () => page.getByRole("main").getByRole("log");
/** A tab that the browser freezes runs nothing. Headless pages count as looked at, so its process is stopped instead. */
async function signal(name: "SIGSTOP" | "SIGCONT"): Promise<void> {
  const { processInfo } = await devices.send("SystemInfo.getProcessInfo");
  for (const { type, id } of processInfo) if (type === "renderer") process.kill(id, name);
}

/** The longest pause of the tab so far; those of before are forgotten. */
const longestSleepMs = () =>
  page.evaluate(() => {
    const { dataset } = document.documentElement;
    const longest = Number(dataset["longestSleepMs"]);
    dataset["longestSleepMs"] = "0";
    return longest;
  });

/** The stored log, a line of text each. */
async function stored(): Promise<string[]> {
  const answer = await fetch(`${installation.portalUrl}/api/v1/builds/${build}/log?format=jsonl`);
  return (await answer.text())
    .trimEnd()
    .split("\n")
    .map((each) => (JSON.parse(each) as LogLine).text);
}

/**
 * What the tab shows of each line, from the first to the last, as somebody who scrolls through all of it. Each step brings the last
 * row that is drawn to the top, so that a busy browser, which draws late, is waited for.
 */
async function shown(): Promise<string[]> {
  await log().getByText(`route ${lines} of`).waitFor({ timeout: 30_000 });
  return await log().evaluate(async (element, lineCount) => {
    const seen: string[] = [];
    for (element.scrollTop = 0; seen.length < lineCount; ) {
      const isWhole = () => !element.textContent?.includes("…");
      do await new Promise((resolve) => setTimeout(resolve, 30));
      while (!isWhole());
      const numbers = [...element.querySelectorAll("button[aria-pressed]")];
      for (const number of numbers)
        seen[Number(number.textContent) - 1] =
          number.parentElement?.lastElementChild?.textContent ?? "";
      numbers.at(-1)?.scrollIntoView({ block: "start" });
    }
    return seen;
  }, lines);
}

describe("a tab that was frozen", () => {
  it.each([
    ["while some lines came", async () => await write(300)],
    [
      "while more came than a connection holds",
      async () => {
        for (let n = 0; n < 10; n++) await write(500);
      },
    ],
    [
      "while the portal was started anew",
      async () => {
        await write(200);
        await installation.processes.stop("portal");
        await write(200);
        installation.processes.start("portal");
        await until("the portal is back", async () => {
          const { status } = await installation.api("/me").catch(() => ({ status: 0 }));
          return status === 200;
        });
        await write(200);
      },
    ],
  ])("%s shows every line once, as it is stored", async (_, meanwhile) => {
    await signal("SIGSTOP");
    await delay(1000);
    await meanwhile();
    await signal("SIGCONT");
    await write(50);
    expect(await shown()).toEqual(await stored());
    expect(await longestSleepMs()).toBeGreaterThan(900);
  });
});
