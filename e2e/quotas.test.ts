import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deploy, until, untilReady, upload } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { pair } from "@/tests/support/pair";
import { openPage } from "./pages";
import { barriersOn, openBrowser, type Visit } from "./support/browser";
import { takePictures } from "./support/pictures";

// The owner limits a project, which is told so wherever it asks for more.

let installation: Installation;
let visit: Visit;
let page: Page;

beforeAll(async () => {
  installation = await startInstallation("e2e-quotas");
  visit = await openBrowser({ baseURL: installation.portalUrl, reducedMotion: "reduce" });
  page = visit.page;
  const model = await upload(installation, "model.onnx", pair.model);
  await deploy(installation, {
    name: "pair",
    engine: "onnx",
    model: { url: model.body.url, card: pair.card },
    board: { model: "cpu", kind: "cpu" },
  });
  await untilReady(installation, "pair");
});
afterAll(async () => {
  await visit?.browser.close();
  await installation?.stop();
});

const ask = async (name: string) =>
  await fetch(`${installation.gatewayUrl}/v2/models/pair/infer`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      inputs: [{ name, shape: [1, 2], datatype: "FP32", data: pair.row.row }],
    }),
  });

describe("the limits of a project", () => {
  it("are shown with what is taken of them", async () => {
    await openPage(page, "/settings/quotas");
    await page.getByRole("heading", { name: "Limits of default" }).waitFor();
    await page.getByText("0 of 8").waitFor();
    const search = page.getByRole("searchbox", { name: "A part of a project's name" });
    await search.fill("astro");
    await page.getByText("No project has this in its name.").waitFor();
    await search.fill("fau");
    await page.getByRole("heading", { name: "Limits of default" }).waitFor();
    await page.getByText("1, without a limit").waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "quotas");
  });

  it("are set by whoever runs the installation, and hold at once", async () => {
    await page.getByText("Change the limits of default").click();
    await page.getByLabel("Most boards", { exact: true }).fill("1");
    await page.getByLabel("Most requests a second", { exact: true }).fill("2");
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "quotas-form");
    await page.getByRole("button", { name: "Save the limits" }).click();
    await page.getByText("1 of 1").waitFor();
    await page.getByText("nothing left").waitFor();
    const model = await fetch(`${installation.gatewayUrl}/v2/models/pair`);
    const [input] = ((await model.json()) as { inputs: { name: string }[] }).inputs;
    await until("the gateway is slow", async () => {
      const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => ask(input?.name ?? "")));
      const refused = answers.find(({ status }) => status === 429);
      return refused?.headers.get("retry-after") === "1";
    });
    const { status, body } = await installation.api("/endpoints", {
      method: "POST",
      body: JSON.stringify({
        name: "second",
        engine: "onnx",
        model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
        board: { model: "cpu", kind: "cpu" },
      }),
    });
    expect(status).toBe(429);
    expect(body).toMatchObject({ error: { reason: "QUOTA_EXCEEDED" } });
  });
});
