import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { iris } from "@/tests/support/domain";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { listPage, openPage } from "./pages";
import { barriersOn, openBrowser, type Visit } from "./support/browser";
import { takePictures } from "./support/pictures";

// Builds that wait, with nobody to build them: moved forward and back from the list, in bulk and on their page.

let installation: Installation;
let visit: Visit;
let page: Page;
/** Ids of the builds by the names of their endpoints, in the order of being asked for. */
const builds = new Map<string, string>();

beforeAll(async () => {
  installation = await startInstallation("e2e-queue");
  await installation.processes.stop("build-worker");
  visit = await openBrowser({ baseURL: installation.portalUrl, reducedMotion: "reduce" });
  page = visit.page;
  for (const name of ["first", "second", "third"]) {
    const { body } = await installation.api("/endpoints", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(iris(name)),
    });
    builds.set(name, (body as { buildId: string }).buildId);
  }
});

afterAll(async () => {
  await visit?.browser.close();
  await installation?.stop();
});

const menuOf = (name: string) => page.getByRole("button", { name: `Actions for ${name}, build` });
const queued = () => page.getByRole("region", { name: "Build workers and queue" }).locator("ol li");

describe("priority", () => {
  it("is set from the menu of a row, and the queue follows", async () => {
    await listPage(page).open("/builds");
    await expect.poll(() => queued().allInnerTexts()).toHaveLength(3);
    expect((await queued().allInnerTexts())[0]).toMatch(/^1\s*first/);
    await menuOf("third").click();
    await page.getByRole("menuitemradio", { name: "high priority" }).waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await page.getByRole("menuitemradio", { name: "high priority" }).click();
    await expect
      .poll(async () => (await queued().allInnerTexts())[0])
      .toMatch(/^1\s*third\s*high priority, no worker/);
    const row = page.getByRole("row").filter({ hasText: "third" });
    expect(await row.innerText()).toContain("high priority");
    await takePictures(page, "queue-list");
  });

  it("is set for several at once", async () => {
    await listPage(page).open("/builds");
    await page.getByRole("checkbox", { name: /^Select first, / }).check();
    await page.getByRole("checkbox", { name: /^Select third, / }).check();
    await page.getByLabel("Priority of 2").selectOption("low");
    await page.getByText("2 of 2 done.").waitFor();
    await expect
      .poll(async () =>
        (await queued().allInnerTexts()).map((text) => text.match(/first|second|third/)?.[0]),
      )
      .toEqual(["second", "first", "third"]);
  });

  it("is set on the page of a build, whose place follows", async () => {
    await openPage(page, `/builds/${builds.get("third")}`);
    await page.getByText("Number 3 of 3 in the queue").waitFor();
    await page.getByLabel("Priority").selectOption("high");
    await page.getByText("Number 1 of 3 in the queue").waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "queue-build");
  });
});

describe("the whole visit", () => {
  it("had nothing to complain of", async () => {
    await openPage(page, "/builds");
    expect(visit.complaints).toEqual([]);
  });
});
