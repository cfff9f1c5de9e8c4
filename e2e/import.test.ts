import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deploy, untilReady } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { buildPage, deployPage, openPage } from "./pages";
import { barriersOn, openBrowser } from "./support/browser";
import { takePictures } from "./support/pictures";

// An artifact that was made elsewhere: it is imported on the page of builds, deployed, and nobody is told that it was proven.

const folder = mkdtempSync(join(tmpdir(), "bw-import-"));
const archive = join(folder, "artifact.tar");
let installation: Installation;
let browser: Browser;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  const elsewhere = await startInstallation("e2e-import-from");
  try {
    await deploy(elsewhere, {
      name: "iris",
      engine: "onnx",
      model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
      board: { model: "cpu", kind: "cpu" },
    });
    const { artifactDigest } = await untilReady(elsewhere, "iris");
    const answer = await fetch(`${elsewhere.portalUrl}/api/v1/artifacts/${artifactDigest}/archive`);
    writeFileSync(archive, Buffer.from(await answer.arrayBuffer()));
  } finally {
    await elsewhere.stop();
  }
  installation = await startInstallation("e2e-import-to");
  ({ browser, page, complaints } = await openBrowser({
    baseURL: installation.portalUrl,
    reducedMotion: "reduce",
  }));
});

afterAll(async () => {
  await browser?.close();
  await installation?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe("somebody brings an artifact along", () => {
  it("is told what is wrong with a file that is none", async () => {
    await openPage(page, "/builds");
    await page.getByLabel("Archive of an artifact").setInputFiles("tests/fixtures/README.md");
    await page.getByText("This artifact was not taken.").waitFor();
    expect(await barriersOn(page)).toEqual([]);
  });

  it("imports it, and reads where it was made and that nothing of it is proven here", async () => {
    await page.getByLabel("Archive of an artifact").setInputFiles(archive);
    await page.waitForURL(/\/builds\/bld_/);
    const build = buildPage(page);
    expect(await build.end(60_000)).toContain("succeeded");
    await expect.poll(() => build.findings()).toMatch(/another installation/i);
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "build-imported");
  });

  it("deploys it by its address; the endpoint says the same", async () => {
    const { body } = await installation.api("/builds?limit=1");
    const [{ modelUrl }] = (body as { items: readonly [{ modelUrl: string }] }).items;
    const form = deployPage(page);
    await form.open();
    await form.giveUrl(modelUrl);
    await form.reading();
    await form.giveName("brought-along");
    // Nobody chose: the one engine that takes it, and the board that it is for.
    await expect.poll(() => form.engine("prebuilt").isChecked()).toBe(true);
    await takePictures(page, "deploy-imported");
    await form.deploy();
    expect(await buildPage(page).end(60_000)).toContain("succeeded");
    await untilReady(installation, "brought-along");
    await openPage(page, "/endpoints/brought-along");
    const main = page.getByRole("main");
    await main
      .getByText(/another installation/i)
      .first()
      .waitFor();
    expect(await main.innerText()).not.toMatch(/equal to its/);
    await takePictures(page, "endpoint-imported");
  });

  it("complains of nothing but the file that was refused", () => {
    expect(complaints).toEqual([expect.stringMatching(/status of 422/)]);
  });
});
