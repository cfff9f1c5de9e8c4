import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { iris } from "@/tests/support/domain";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { listPage, openPage } from "./pages";
import { barriersOn, openBrowser, type Visit } from "./support/browser";
import { takePictures } from "./support/pictures";

// Builds that wait, with nobody to build them: moved forward and back from the list, in bulk and on their page; labelled; and told of.

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
    await expect.poll(() => row.innerText()).toContain("high priority");
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

describe("labels", () => {
  const hostile = "<b>bold</b> & more";

  it("are given on the page of a build, which says what it refuses", async () => {
    await openPage(page, `/builds/${builds.get("second")}`);
    await page.getByRole("button", { name: "Add labels" }).click();
    const field = page.getByRole("textbox", { name: "Labels" });
    await field.fill(`nightly, ${"a".repeat(64)}`);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("at most 63 characters, this one has 64").waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await field.fill(`nightly, ${hostile}`);
    await field.press("Enter");
    const shown = page.getByRole("list", { name: "Labels" }).getByRole("link");
    await expect.poll(() => shown.allInnerTexts()).toEqual(["nightly", hostile]);
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "labels-build");
  });

  it("lead to the builds that have them, and are chosen from in the list", async () => {
    await page.getByRole("link", { name: hostile }).click();
    await page.waitForURL(/\/builds\?label=/);
    const list = listPage(page);
    await expect.poll(() => list.links()).toEqual([`/builds/${builds.get("second")}`]);
    await page.getByRole("button", { name: `label “${hostile}”` }).click();
    await expect.poll(async () => (await list.links()).length).toBe(3);
    await page.getByLabel("Label", { exact: true }).selectOption("nightly");
    await page.waitForURL(/label=nightly/);
    await expect.poll(() => list.links()).toEqual([`/builds/${builds.get("second")}`]);
    const csv = await list.exported("CSV");
    expect(csv).toContain(`nightly, ${hostile}`);
    await takePictures(page, "labels-list");
  });
});

describe("a notice of one build", () => {
  it("is asked for on its page, for a receiver of other events, and sent when it ends", async () => {
    const { body } = await installation.api("/notifications/webhooks", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url: "https://hooks.example.invalid/", events: ["build.succeeded"] }),
    });
    expect((body as { id: string }).id).toMatch(/./);
    await openPage(page, `/builds/${builds.get("first")}`);
    await page.getByText("Tell somebody else").click();
    await page.getByRole("checkbox", { name: "https://hooks.example.invalid/" }).click();
    await page.getByText("One receiver is told").waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "notice-build");
    await page.getByRole("main").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("main").getByRole("button", { name: "Retry" }).waitFor();
    await openPage(page, "/settings/notifications");
    const list = page.getByRole("list", { name: "Deliveries" });
    await list.getByText("build.cancelled").waitFor();
  });
});

describe("the whole visit", () => {
  it("had nothing to complain of but the labels that were refused", async () => {
    await openPage(page, "/builds");
    // A portal that has more to do than it can says so, and the page asks again.
    const others = visit.complaints.filter((text) => !/status of 503/.test(text));
    expect(others).toEqual([expect.stringMatching(/status of 422.*\/labels$/)]);
  });
});
