import { readFileSync } from "node:fs";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deploy, sampleReference, untilReady } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { endpointPage, openPage } from "./pages";
import { barriersOn, openBrowser } from "./support/browser";
import { takePictures } from "./support/pictures";

// What a person does in the prediction editor, on a board and beside the same model on a CPU.

const name = "iris-edited";
const model = { url: "s3://boardwalk-samples/iris-mlp/model.onnx" };
let installation: Installation;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  installation = await startInstallation("e2e-editor");
  ({ browser, context, page, complaints } = await openBrowser({
    baseURL: installation.portalUrl,
    permissions: ["clipboard-read", "clipboard-write"],
    reducedMotion: "reduce",
  }));
  // As the form does, which reads the card on the way.
  await installation.api("/models/inspect", { method: "POST", body: JSON.stringify(model) });
  const board = { model: "icebreaker", kind: "simulated" };
  await deploy(installation, { name, engine: "boardwalk", model, board });
  await deploy(installation, {
    name: "iris-on-cpu",
    engine: "onnx",
    model,
    board: { model: "cpu", kind: "cpu" },
  });
  await untilReady(installation, name, 280_000);
  await untilReady(installation, "iris-on-cpu");
}, 600_000);

afterAll(async () => {
  await browser?.close();
  await installation?.stop();
});

const barriers = () => barriersOn(page);
const main = () => page.getByRole("main");
const button = (text: string | RegExp) => main().getByRole("button", { name: text });
const answer = () => main().getByRole("region", { name: "Answer", exact: true });
const field = (label: RegExp) => main().getByLabel(label);
/** The JSON of the editor, whichever view is open. It is kept a moment after it was written. */
const draft = () =>
  page.evaluate((of) => localStorage.getItem(`boardwalk.draft.${of}`) ?? "", name);
/** The request that the address leads to. */
const linked = () => new URL(page.url()).searchParams.get("request");

interface V2 {
  model_version: string;
  outputs: { name: string; data: number[] }[];
}

/** What the gateway itself answers to a text. */
async function ask(text: string, endpoint = name): Promise<V2> {
  const url = `${installation.gatewayUrl}/v2/models/${endpoint}/infer`;
  return (await (await fetch(url, { method: "POST", body: text })).json()) as V2;
}
const classes = ["setosa", "versicolor", "virginica"];
const best = (values: readonly number[]) => values.indexOf(Math.max(...values));

/** The rows of the sample's test.csv. */
const rows = readFileSync("public/samples/iris-mlp/test.csv", "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => line.split(",").map(Number));

describe("the form", () => {
  it("has a field for each feature, named and bounded by the card", async () => {
    await endpointPage(page).open(name);
    const endpoint = (await installation.api(`/endpoints/${name}`)).body as {
      features: { names: string[]; min: number[] };
    };
    expect(endpoint.features.names).toHaveLength(4);
    const fields = main().getByRole("region", { name: "Request" }).getByRole("textbox");
    await expect.poll(() => fields.count()).toBe(4);
    await expect
      .poll(() => main().getByRole("region", { name: "Request" }).innerText())
      .toMatch(/ to /);
    expect(await barriers()).toEqual([]);
    await takePictures(page, "editor-fields");
  });

  it("writes what is typed into the text, and sends it from any field", async () => {
    const fields = main().getByRole("region", { name: "Request" }).getByRole("textbox");
    for (const [at, value] of [6.3, 2.5, 4.9, 1.5].entries()) await fields.nth(at).fill(`${value}`);
    await fields.nth(3).press("ControlOrMeta+Enter");
    await expect.poll(draft).toMatch(/6\.3,\s*2\.5,\s*4\.9,\s*1\.5/);
    const [values = []] = (await ask(await draft())).outputs.map(({ data }) => data);
    const words = `${classes[best(values)]}, ${Math.max(...values).toFixed(3)}`;
    await answer().getByText(words, { exact: true }).waitFor();
    await expect.poll(() => endpointPage(page).timeSplit()).toMatch(/cycles/);
    await expect
      .poll(() => endpointPage(page).timeSplit())
      .toMatch(/Browser, network and portal took/);
  });

  it("marks an answer when the request is changed after it", async () => {
    const fields = main().getByRole("region", { name: "Request" }).getByRole("textbox");
    await fields.nth(0).fill("6.4");
    await answer().getByText("The request was changed since").waitFor();
    await fields.nth(0).fill("6.3");
    await answer().getByText("The request was changed since").waitFor({ state: "detached" });
  });

  it("keeps what is no number, and says so at the field and in the list", async () => {
    const fields = main().getByRole("region", { name: "Request" }).getByRole("textbox");
    await fields.nth(1).fill("2.5x");
    await main().getByText("This is no FP32 value.").first().waitFor();
    await expect.poll(() => fields.nth(1).getAttribute("aria-invalid")).toBe("true");
    await expect.poll(draft).toContain('"2.5x"');
    await endpointPage(page).view("Table");
    await expect
      .poll(() => main().getByRole("table").first().getByRole("textbox").nth(1).inputValue())
      .toBe("2.5x");
    expect(await barriers()).toEqual([]);
    await main().getByRole("table").first().getByRole("textbox").nth(1).fill("2.5");
    await main().getByText("valid · 1 row").waitFor();
  });
});

describe("the text", () => {
  it("that is no JSON is kept in all views, and mended by a button", async () => {
    await endpointPage(page).giveRequest(
      '{"inputs":[{"name":"features","shape":[1,4],"datatype":"FP32","data":[1,2,3,4,]}]}',
    );
    await main().getByText("Remove the comma before ] in line 1.").first().waitFor();
    await endpointPage(page).view("Form");
    await main().getByText("This text cannot be drawn as rows.").waitFor();
    await expect.poll(draft).toContain("[1,2,3,4,]");
    expect(await barriers()).toEqual([]);
    await button("Mend it").first().click();
    await main().getByText("valid · 1 row").waitFor();
    await expect.poll(draft).toContain("[1,2,3,4]");
  });

  it("shows whatever it holds as text", async () => {
    const script = "<img src=x onerror=window.hacked=1>";
    await endpointPage(page).giveRequest(
      JSON.stringify({
        inputs: [{ name: script, shape: [1, 4], datatype: "FP32", data: [1, 2, 3, 4] }],
      }),
    );
    await main().getByText(`There is no input “${script}”.`).first().waitFor();
    await endpointPage(page).send();
    await answer().getByRole("alert").getByText(script).waitFor();
    expect(await page.evaluate(() => Reflect.get(window, "hacked"))).toBeUndefined();
    await button("Sample").click();
    await main().getByText("valid · 1 row").waitFor();
    // The next revision may have another sample: this one is not kept.
    await expect.poll(draft).toBe("");
  });
});

describe("test rows and files", () => {
  it("are held against what is expected of them", async () => {
    await endpointPage(page).view("Form");
    await button("Test rows").click();
    await field(/^First row/).fill("3");
    await button("Take").first().click();
    await main().getByText("test.csv, row 3").waitFor();
    await expect.poll(draft).toMatch(new RegExp(rows[2]?.slice(0, 4).join(",\\s*") ?? ""));
    const [values = []] = (await ask(await draft())).outputs.map(({ data }) => data);
    await endpointPage(page).send();
    const label = rows[2]?.[4] ?? -1;
    const words = best(values) === label ? "As expected." : `Expected was ${classes[label]}.`;
    await answer().getByText(words).waitFor();
  });

  it("many are sent in batches, as many right as the gateway has it", async () => {
    await field(/^First row/).fill("1");
    await field(/^Rows, up to/).fill(String(rows.length));
    await button("Take").first().click();
    await main().getByText(`test.csv, rows 1 to ${rows.length}`).waitFor();
    await field(/^Rows in a request/).fill("4");
    await button(`Send all ${rows.length} rows`).click();
    const requests = Math.ceil(rows.length / 4);
    await main().getByText(`${requests} of ${requests} requests answered, ended`).waitFor();
    let right = 0;
    for (const row of rows) {
      const input = { name: "features", shape: [1, 4], datatype: "FP32", data: row.slice(0, 4) };
      const [values = []] = (await ask(JSON.stringify({ inputs: [input] }))).outputs.map(
        ({ data }) => data,
      );
      if (best(values) === row[4]) right++;
    }
    await main()
      .getByText(new RegExp(`^${right} of ${rows.length} rows as expected`))
      .waitFor();
    expect(await barriers()).toEqual([]);
    await takePictures(page, "editor-batch");
  });

  it("come from a .npy file that is chosen, and a hostile one is refused by a sentence", async () => {
    const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4), }"
      .padEnd(117)
      .concat("\n");
    const head = Buffer.concat([
      Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 118, 0]),
      Buffer.from(header),
    ]);
    const data = Buffer.from(Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8).buffer);
    const choose = (buffer: Buffer) =>
      main()
        .getByLabel("File…")
        .setInputFiles({ name: "rows.npy", mimeType: "application/octet-stream", buffer });
    await choose(Buffer.concat([head, data]));
    await main().getByText("valid · 2 rows").waitFor();
    await choose(Buffer.concat([head, data.subarray(4)]));
    await main().getByText("ends after 28 bytes").waitFor();
    await main().getByText("valid · 2 rows").waitFor();
  });
});

describe("the answer", () => {
  it("is compared with the float model and with the CPU that serves the same file", async () => {
    const { input, output } = sampleReference("iris-mlp");
    await endpointPage(page).giveRequest(
      JSON.stringify({
        inputs: [{ name: input.name, shape: [1, 4], datatype: "FP32", data: input.rows[1] }],
      }),
    );
    await endpointPage(page).send();
    // The answer to this request: one that was there before would take the comparison along when it goes.
    await expect.poll(draft).toContain(JSON.stringify(input.rows[1]));
    const [values = []] = (await ask(await draft())).outputs.map(({ data }) => data);
    await answer()
      .getByText(`${classes[best(values)]}, ${Math.max(...values).toFixed(3)}`, { exact: true })
      .waitFor();
    await button("Compare with the float model").click();
    const table = answer()
      .getByRole("region", { name: /float model/ })
      .getByRole("table");
    await table.waitFor();
    const cells = await table.getByRole("row").nth(1).getByRole("cell").allInnerTexts();
    const wanted = output.rows[1]?.[0] ?? 0;
    // Index, class, this endpoint, float model, difference, CPU.
    expect(Number(cells[3])).toBeCloseTo(wanted, 4);
    expect(Number(cells[5])).toBeCloseTo(wanted, 4);
    await expect.poll(() => answer().innerText()).toContain("iris-on-cpu");
    await expect.poll(() => answer().innerText()).toMatch(/ONNX Runtime \d/);
    expect(await barriers()).toEqual([]);
    await takePictures(page, "editor-float");
  });

  it.each(["HTTP, binary", "gRPC, by the portal", "HTTP, JSON"])(
    "is the same over %s",
    async (protocol) => {
      await field(/^Protocol/).selectOption(protocol);
      await field(/^Revision/).selectOption("1");
      await endpointPage(page).send();
      const [values = []] = (await ask(await draft())).outputs.map(({ data }) => data);
      await answer().getByText("revision 1").waitFor();
      await answer()
        .getByText(`${classes[best(values)]}, ${Math.max(...values).toFixed(3)}`, { exact: true })
        .waitFor();
    },
  );

  it("comes again and again, each time counted in the histogram", async () => {
    await field(/^Times/).fill("25");
    await button("Repeat").click();
    await main().getByText("25 of 25 requests answered, ended").waitFor();
    const charts = main().getByRole("group", { name: /25 requests/ });
    await expect.poll(() => charts.count()).toBe(2);
    const seen = main().getByRole("figure").filter({ hasText: "25 requests" }).first();
    await seen.getByRole("button", { name: "As a table" }).click();
    const counts = await seen
      .getByRole("row")
      .evaluateAll((all) => all.slice(1).map((row) => Number(row.lastElementChild?.textContent)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(25);
    expect(await barriers()).toEqual([]);
  });
});

describe("what was sent", () => {
  it("is found again by its address, and said to be gone where nobody keeps it", async () => {
    await endpointPage(page).giveRequest(
      '{"inputs":[{"name":"features","shape":[1,4],"datatype":"FP32","data":[5.125,3,1,0.1]}]}',
    );
    const before = linked();
    await endpointPage(page).send();
    await expect.poll(linked).not.toBe(before);
    const address = page.url().slice(installation.portalUrl.length);
    await button("Random").click();
    await expect.poll(draft).not.toContain("5.125");
    await openPage(page, address);
    await expect.poll(draft).toContain("5.125");
    await openPage(page, `/endpoints/${name}?request=nobody`);
    await main().getByText("This request is not kept").waitFor();
  });

  it("is listed, and what is pinned stays", async () => {
    await openPage(page, `/endpoints/${name}`);
    await main()
      .getByText(/^History \(/)
      .click();
    const entries = main().getByRole("table", { name: "Requests that were sent before" });
    await entries.getByRole("button", { name: "Pin", exact: true }).first().click();
    await button("Forget all that is not pinned").click();
    await expect.poll(() => entries.getByRole("button", { name: "Unpin" }).count()).toBe(1);
    await expect.poll(() => entries.getByRole("row").count()).toBe(2);
    expect(await barriers()).toEqual([]);
  });

  it("is copied in the language that is chosen, as it is written now", async () => {
    await field(/^Copy as/).selectOption("Python");
    await button("Copy as Python").click();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toContain("import tritonclient.http");
    await openPage(page, `/endpoints/${name}?tab=code`);
    await main().getByRole("region", { name: "Python snippet" }).waitFor();
  });
});

describe("everybody", () => {
  it.each(["form", "table", "json"])(
    "sees the %s in both themes and on a small screen",
    async (view) => {
      for (const theme of ["light", "dark"]) {
        await context.addCookies([{ name: "theme", value: theme, url: installation.portalUrl }]);
        await openPage(page, `/endpoints/${name}?view=${view}`);
        await main().getByText("valid · ").waitFor();
        expect(await barriers()).toEqual([]);
      }
      await page.setViewportSize({ width: 320, height: 800 });
      const overflow = () =>
        page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      await expect.poll(overflow).toBeLessThanOrEqual(0);
      await takePictures(page, `editor-${view}`);
      await page.setViewportSize({ width: 1440, height: 900 });
    },
  );

  it("leaves the editor by Tab, and reads it in Italian", async () => {
    await endpointPage(page).view("JSON");
    await main().getByRole("textbox", { name: "Request, JSON" }).focus();
    await page.keyboard.press("Tab");
    const isInside = await page.evaluate(() => !!document.activeElement?.closest(".cm-content"));
    expect(isInside).toBe(false);
    await context.addCookies([{ name: "language", value: "it", url: installation.portalUrl }]);
    await openPage(page, `/endpoints/${name}`).catch(() => {});
    await page.getByRole("main").getByText("valida · ").waitFor();
    await context.clearCookies({ name: "language" });
  });

  it("finds no complaint of the browser", () => {
    expect(
      complaints.filter((text) => !/40[0-9]|422|503|Failed to load resource/.test(text)),
    ).toEqual([]);
  });
});
