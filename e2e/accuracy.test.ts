import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deploy } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { buildPage, deployPage, openPage } from "./pages";
import { barriersOn, openBrowser } from "./support/browser";
import { takePictures } from "./support/pictures";

// How exact is it: rows, the search for the fewest bits, the report on the build page, and fits as buttons.

let installation: Installation;
let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  installation = await startInstallation("e2e-accuracy");
  ({ browser, page, complaints } = await openBrowser({
    baseURL: installation.portalUrl,
    reducedMotion: "reduce",
  }));
});

afterAll(async () => {
  await browser?.close();
  await installation?.stop();
});

/** Serious findings of axe on the page as it stands. */
const barriers = () => barriersOn(page);

describe("a physicist wants to know how exact it is", () => {
  it("adds rows and reads how they were understood, or what is wrong with them", async () => {
    const form = deployPage(page);
    await form.open();
    await form.giveUrl("s3://boardwalk-samples/jets-small-mlp/model.onnx");
    await form.reading();
    await form.giveRows("tests/fixtures/README.md");
    await page.getByText(/README.md was not taken/).waitFor();
    await form.giveRows("public/samples/jets-small-mlp/test.csv");
    await page
      .getByText(/is CSV, with a header: 1000 rows of 16 inputs, labels in column/)
      .waitFor();
    expect(await barriers()).toEqual([]);
  });

  it("searches for the fewest bits, watches the tries and takes them over", async () => {
    const main = page.getByRole("main");
    await main.getByLabel("Find the fewest bits that keep").fill("95");
    await main.getByRole("button", { name: "Search", exact: true }).click();
    const use = main.getByRole("button", { name: /^Use 8, \d and 8 bits|^Use \d, \d and \d bits/ });
    await use.waitFor({ timeout: 120_000 });
    expect(await barriers()).toEqual([]);
    await takePictures(page, "deploy-search");
    const bits = (await use.innerText()).match(/\d+/g)?.map(Number) ?? [];
    await use.click();
    await main.getByRole("button", { name: "Show options" }).click();
    await expect
      .poll(() => main.getByLabel("Weight bits of all layers").inputValue())
      .toBe(String(bits[1]));
    await expect.poll(() => main.getByLabel("Input bits").inputValue()).toBe(String(bits[0]));
    await main.getByRole("button", { name: "Set each layer by itself" }).click();
    await main
      .getByLabel(/^Weight bits of/)
      .first()
      .fill("7");
    expect(await barriers()).toEqual([]);
    await takePictures(page, "deploy-options");
  });

  it("deploys it and reads the report: figures, confusion, clipping, worst rows", async () => {
    const main = page.getByRole("main");
    await main.getByLabel("Clock (Hz)").fill("24000000");
    const form = deployPage(page);
    await form.giveName("jets-exact");
    await form.deploy();
    expect(await buildPage(page).end(280_000)).toContain("succeeded");
    const section = page.locator("#accuracy");
    await section.getByRole("heading", { name: "Accuracy", exact: true }).waitFor();
    const words = await section.innerText();
    expect(words).toMatch(/Agreement with the float model/);
    expect(words).toMatch(/Accuracy of the integer model/);
    expect(words).toMatch(/test rows were also used for calibration/);
    // Five classes below their heads, and the five rows that differ most.
    await expect.poll(() => section.getByRole("row").count()).toBe(6);
    await expect.poll(() => section.locator("ol > li").count()).toBe(5);
    await section.getByRole("button", { name: "labels and integer" }).click();
    await expect
      .poll(() =>
        section.getByText("Rows: label. Columns: class of the integer model.").isVisible(),
      )
      .toBe(true);
    expect(await barriers()).toEqual([]);
    await takePictures(page, "build-accuracy");
  });
});

describe("a model that does not fit", () => {
  it("is told in the forecast, with fits as buttons that fill the form", async () => {
    const options = encodeURIComponent(JSON.stringify({ architecture: "unrolled" }));
    await openPage(
      page,
      `/deploy?sample=iris-mlp&engine=boardwalk&board=icebreaker&options=${options}`,
    );
    const main = page.getByRole("main");
    await main.getByText("It will not fit").waitFor();
    await takePictures(page, "deploy-fits");
    // The form refuses to send it: as by a program, which did not ask before.
    const { buildId } = await deploy(installation, {
      name: "iris-too-large",
      engine: "boardwalk",
      model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
      board: { model: "icebreaker", kind: "simulated" },
      options: { architecture: "unrolled" },
    });
    await buildPage(page).open(buildId);
    expect(await buildPage(page).end(280_000)).toContain("failed");
    const failure = page.getByRole("main").getByRole("alert");
    await expect.poll(() => failure.innerText()).toMatch(/Logic cells: .* too many/);
    expect(await barriers()).toEqual([]);
    await takePictures(page, "build-fits");
    await failure.getByRole("link", { name: "One array for all layers" }).click();
    await page.getByRole("button", { name: "Show options" }).click();
    await expect.poll(() => page.getByLabel("Architecture").inputValue()).toBe("array");
    await main.getByText("cycles ±").waitFor();
  });

  it("took no fault of the pages", () => {
    // The browser itself reports the one file that was refused.
    const own = complaints.filter((each) => !each.includes("status of 422"));
    expect(own).toEqual([]);
    expect(complaints.length - own.length).toBe(1);
  });
});
