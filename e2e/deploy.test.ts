import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { findForecast, fitOnBoard } from "@/engines/forecast";
import { inspectionSchema } from "@/lib/common/contract";
import { reasons } from "@/lib/common/errors";
import { until, untilReady } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { buildPage, deployPage, endpointPage, openPage } from "./pages";
import { barriersOn, openBrowser, type Visit } from "./support/browser";
import { settle } from "./support/every-route";
import { holdScripts } from "./support/hold-scripts";
import { takePictures } from "./support/pictures";

// The Deploy form, the pages about errors and the first hour, as a person meets them on a Boardwalk that has nothing yet.

let installation: Installation;
let visit: Visit;
let page: Page;
const posts: string[] = [];

beforeAll(async () => {
  installation = await startInstallation("e2e-deploy");
  visit = await openBrowser({ baseURL: installation.portalUrl, reducedMotion: "reduce" });
  page = visit.page;
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/api/v1/endpoints"))
      posts.push(request.postData() ?? "");
  });
});

afterAll(async () => {
  await visit?.browser.close();
  await installation?.stop();
});

const digits = "s3://boardwalk-samples/digits-mlp/model.onnx";
const main = () => page.getByRole("main");
const grid = () => page.getByRole("radiogroup", { name: "Which board?" });
const cards = () => grid().locator("label");
const card = (name: string) =>
  cards().filter({ has: page.getByRole("radio", { name, exact: true }) });
const deployButton = () => main().getByRole("button", { name: /^Deploy/ });
const focused = () =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    return `${element?.tagName} ${element?.id || element?.textContent?.slice(0, 40) || ""}`.trim();
  });
const isFree = async (name: string) =>
  (await installation.api(`/endpoints/${name}`)).status === 404;

describe("the first hour on Home", () => {
  it("shows three samples with the right answer, and takes one into the form by a press", async () => {
    await openPage(page, "/");
    await page.getByRole("heading", { name: "Your first hour" }).waitFor();
    const right = main().getByText("The right answer:");
    await expect.poll(() => right.count()).toBe(3);
    await page.getByRole("img", { name: "A handwritten 1, 8 by 8 pixels" }).waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "home-first-hour");
    await main().getByRole("link", { name: "Fill in the form" }).first().click();
    await page.waitForURL(/sample=digits-mlp/);
    await deployPage(page).reading();
    await expect.poll(() => page.getByLabel("Which model?").inputValue()).toBe(digits);
    // A move gives the focus to the heading of the page.
    await expect.poll(focused).toBe("H1 Deploy a model");
  });

  it("is put away, and called back", async () => {
    await openPage(page, "/");
    await main().getByRole("button", { name: "Hide" }).click();
    await page.getByRole("heading", { name: "Your first hour" }).waitFor({ state: "detached" });
    await page.reload();
    await main().getByRole("button", { name: "Show the steps of the first hour" }).click();
    await page.getByRole("heading", { name: "Your first hour" }).waitFor();
  });
});

describe("the grid of boards", () => {
  it("says of each board how full it would be, as the forecast has it", async () => {
    await openPage(page, "/deploy");
    const form = deployPage(page);
    await form.pickSample("digits-mlp");
    await expect.poll(() => focused()).toBe("DIV reading");
    await form.reading();
    await grid()
      .getByText(/^Fits, about \d+/)
      .first()
      .waitFor();
    const answer = await until("the model is read", async () => {
      const asked = await installation.api("/models/inspect", {
        method: "POST",
        body: JSON.stringify({ url: digits }),
      });
      return asked.status === 200 ? asked : null;
    });
    const outline = inspectionSchema.parse(answer.body).outlines?.["boardwalk"];
    const forecasts = findForecast("boardwalk");
    if (!outline || !forecasts) throw new Error("there is no forecast");
    await main()
      .getByRole("button", { name: /^Show all \d+ boards/ })
      .click();
    for (const id of ["icebreaker", "ulx3s-85f", "icestick"]) {
      const board = getBoardModel(id);
      const fit = fitOnBoard({ forecasts, outline, board, options: {} });
      const percent = Math.round((fit?.share ?? 0) * 100);
      const text = await card(`${board.name}, simulated`).innerText();
      expect(text).toMatch(
        new RegExp(fit?.fits ? `Fits, about ${percent}\\s%` : `Needs ${percent}\\s%`),
      );
    }
    await expect.poll(() => cards().first().innerText()).toMatch(/^CPU\n8 of 8 places free/);
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "deploy-boards");
  });

  it("is cut down by the filter above it, and what is left can be chosen", async () => {
    await page.getByRole("searchbox", { name: "Filter boards" }).fill("ulx3s 85");
    await expect.poll(() => cards().count()).toBe(1);
    await deployPage(page).board("ULX3S 85F, simulated").check({ force: true });
    await page.getByRole("searchbox", { name: "Filter boards" }).fill("no such board");
    await main().getByText("No board matches “no such board”.").waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await main().getByRole("button", { name: "Clear the filter" }).click();
    await expect.poll(() => deployPage(page).board("ULX3S 85F, simulated").isChecked()).toBe(true);
    await main().getByLabel("Only boards it fits").check();
    await expect
      .poll(() =>
        grid()
          .getByText(/^Needs/)
          .count(),
      )
      .toBe(0);
    await main().getByRole("button", { name: "Clear the filter" }).click();
  });

  it("is walked through by arrows, which choose nothing, and chosen from by Space", async () => {
    await page.getByRole("searchbox", { name: "Filter boards" }).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const label = () =>
      page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
    const second = await label();
    expect(second).not.toBe("CPU");
    await expect.poll(() => deployPage(page).engine("boardwalk").isChecked()).toBe(true);
    await expect.poll(() => deployPage(page).board("ULX3S 85F, simulated").isChecked()).toBe(true);
    await page.keyboard.press("Home");
    await expect.poll(() => label()).toBe("CPU");
    await page.keyboard.press("Space");
    // A CPU cannot run firmware: the card has said so.
    await expect.poll(() => deployPage(page).engine("onnx").isChecked()).toBe(true);
    await expect.poll(() => label()).toBe("CPU");
    await deployPage(page).engine("boardwalk").check({ force: true });
  });
});

describe("presets", () => {
  const preset = (name: string) =>
    page
      .getByRole("radiogroup", { name: "What the options are good for" })
      .getByRole("radio", { name: new RegExp(`^${name}`) });

  it("fill in the options, move the forecast at once, and are named after they were tuned", async () => {
    await openPage(page, "/deploy?sample=iris-mlp&engine=boardwalk&board=icebreaker");
    const form = deployPage(page);
    await form.reading();
    const lanes = main()
      .getByRole("complementary")
      .getByText(/\d lanes?$/);
    await lanes.getByText("8 lanes").waitFor();
    await expect.poll(() => preset("Engine’s own").isChecked()).toBe(true);
    await preset("Smallest").check({ force: true });
    await lanes.getByText("1 lane").waitFor();
    await main().getByRole("button", { name: "Show options" }).click();
    await expect.poll(() => main().getByLabel("Lanes").inputValue()).toBe("1");
    await main().getByLabel("Lanes").fill("4");
    await lanes.getByText("4 lanes").waitFor();
    await main().getByText("Smallest, changed: Lanes.").waitFor();
    await expect.poll(() => preset("Smallest").isChecked()).toBe(true);
    await main().getByRole("button", { name: "Back to Smallest" }).click();
    await lanes.getByText("1 lane").waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "deploy-presets");
    // What was tuned goes by a choice, and comes back.
    await main().getByLabel("Lanes").fill("4");
    await preset("Fastest").check({ force: true });
    // "Back to Smallest" may still offer its own Undo.
    await page.getByRole("button", { name: /^Undo.*Options replaced by “Fastest”/ }).click();
    await main().getByText("Smallest, changed: Lanes.").waitFor();
  });

  it("go along to another engine, and back by an address", async () => {
    await preset("Smallest").focus();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => preset("Balanced").isChecked()).toBe(true);
    await deployPage(page).engine("bondmachine").check({ force: true });
    await expect.poll(() => preset("Balanced").isChecked()).toBe(true);
    await main().getByText("Numbers auto · Prune below 0.02").waitFor();
    const options = encodeURIComponent(JSON.stringify({ precision: "fastest" }));
    await openPage(page, `/deploy?engine=boardwalk&options=${options}`);
    await expect.poll(() => preset("Fastest").isChecked()).toBe(true);
  });
});

describe("recipes and YAML", () => {
  const dialog = () =>
    page.getByRole("dialog", { name: /^(Recipes|Save as recipe|The form as YAML)$/ });
  const button = (name: string | RegExp) => dialog().getByRole("button", { name });

  it("keep the form without its model, and fill in another", async () => {
    await openPage(page, "/deploy?sample=banknote-mlp&engine=boardwalk&board=icebreaker");
    await deployPage(page).reading();
    await main().getByLabel("Serve from").fill("2");
    await main().getByRole("button", { name: "Save as recipe" }).click();
    await dialog().getByLabel("Name", { exact: true }).fill("Two boards");
    expect(await barriersOn(page)).toEqual([]);
    await button("Save").click();
    await page.getByText("Recipe “Two boards” is saved.").first().waitFor();
    await openPage(page, "/deploy?sample=digits-mlp&engine=onnx");
    await main().getByRole("button", { name: "Use a recipe" }).click();
    await dialog().getByText("boardwalk · iCEBreaker · serving").waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "deploy-recipes");
    await button("Use Two boards").click();
    await dialog().waitFor({ state: "detached" });
    await expect.poll(() => main().getByLabel("Serve from").inputValue()).toBe("2");
    await expect.poll(() => deployPage(page).engine("boardwalk").isChecked()).toBe(true);
    await expect.poll(() => page.getByLabel("Which model?").inputValue()).toBe(digits);
  });

  it("are renamed and deleted, and come back by Undo", async () => {
    await main().getByRole("button", { name: "Use a recipe" }).click();
    await button("Rename Two boards").click();
    await dialog().getByLabel("New name of Two boards").fill("Pair");
    await page.keyboard.press("Enter");
    await button("Delete Pair").click();
    await dialog().getByText("No recipe yet.").waitFor();
    await page.keyboard.press("Escape");
    await page
      .getByRole("button", { name: /^Undo.*Pair.*deleted/ })
      .last()
      .click();
    await main().getByRole("button", { name: "Use a recipe" }).click();
    await button("Use Pair").waitFor();
    await page.keyboard.press("Escape");
  });

  it("say on which line a text is wrong, and take over one that is right", async () => {
    await main().getByRole("button", { name: "Open as YAML" }).click();
    const area = dialog().getByLabel("YAML of the deploy");
    await expect.poll(() => area.inputValue()).toContain("engine: boardwalk\n");
    await area.fill("name: from-text\nengin: onnx\n");
    await button("Take over into the form").click();
    await dialog().getByText("There is no key “engin” here. Do you mean “engine”?").waitFor();
    await expect.poll(() => dialog().getByRole("alert").innerText()).toContain("Line 2");
    await button("Line 2").click();
    await expect
      .poll(() => area.evaluate((element: HTMLTextAreaElement) => element.selectionStart))
      .toBe(16);
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "deploy-yaml");
    await area.fill(
      "name: from-text\nengine: boardwalk\npreset: smallest\nboard: {model: icestick, kind: simulated}\n",
    );
    await button("Take over into the form").click();
    await dialog().waitFor({ state: "detached" });
    await expect.poll(() => deployPage(page).name()).toBe("from-text");
    await expect.poll(() => deployPage(page).board("iCEstick, simulated").isChecked()).toBe(true);
    await main().getByText("Numbers smallest · Architecture array · Lanes 1").waitFor();
    // The model, of which it said nothing, stays.
    await expect.poll(() => page.getByLabel("Which model?").inputValue()).toBe(digits);
    // Of the notices on the page, the one of this text: others of a test before may still be there.
    await page.getByRole("button", { name: /^Undo.*Filled in from the YAML/ }).click();
    await expect.poll(() => deployPage(page).name()).not.toBe("from-text");
  });
});

describe("a form that was not sent", () => {
  it("asks before it is left by a link or by Back, and keeps what was typed", async () => {
    await openPage(page, "/glossary");
    await openPage(page, "/deploy?sample=iris-mlp");
    const form = deployPage(page);
    await form.reading();
    await form.giveName("not-sent");
    const question = page.getByRole("alertdialog", { name: "Leave the form?" });
    await page.getByRole("navigation").getByRole("link", { name: "Boards" }).first().click();
    await question.waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await question.getByRole("button", { name: "Stay" }).click();
    await question.waitFor({ state: "detached" });
    await expect.poll(() => form.name()).toBe("not-sent");
    await page.getByRole("navigation").getByRole("link", { name: "Boards" }).first().click();
    await form.leave();
    await page.waitForURL(/\/boards$/);
    await page.goBack();
    await expect.poll(() => form.name()).toBe("not-sent");
    await main().getByText("What you had filled in is here again.").waitFor();
    await form.giveName("not-sent-either");
    await page.getByRole("radio", { name: /^onnx/ }).check({ force: true });
    await page.evaluate(() => history.forward());
    await question.waitFor();
    await question.getByRole("button", { name: "Stay" }).click();
    expect(page.url()).toContain("/deploy?sample=iris-mlp");
    // A reload keeps it too, though the address asks for a sample alone.
    await page.reload();
    await expect.poll(() => form.name()).toBe("not-sent-either");
    // What is typed before the page's scripts run goes on top of what was kept.
    const release = await holdScripts(page);
    await page.reload({ waitUntil: "commit" });
    await form.giveName("typed-early");
    await release();
    await main().getByText("What you had filled in is here again.").waitFor();
    await expect.poll(() => form.name()).toBe("typed-early");
    await expect.poll(() => page.getByRole("radio", { name: /^onnx/ }).isChecked()).toBe(true);
    await main().getByRole("button", { name: "Begin anew" }).click();
    await expect.poll(() => form.name()).toBe("iris-mlp");
  });

  it("says that its board is gone, keeps the rest, and leads from the summary to the answer", async () => {
    const id = "brd_0199a000-0000-7000-8000-000000000000";
    await page.evaluate((board) => {
      const kept = JSON.parse(sessionStorage.getItem("boardwalk.deploy") ?? "{}");
      const draft = {
        ...kept.draft,
        name: "keeps",
        named: true,
        settled: true,
        engine: "boardwalk",
      };
      draft.board = { id: board, model: "icebreaker", kind: "physical" };
      sessionStorage.setItem("boardwalk.deploy", JSON.stringify({ ...kept, draft }));
    }, id);
    await page.reload();
    await main().getByText("The chosen board is not here any more.").waitFor();
    await expect.poll(() => deployPage(page).name()).toBe("keeps");
    await deployButton().click();
    const line = main()
      .getByRole("alert")
      .getByRole("link", { name: /not here any more/ });
    await line.click();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest("section")?.id ?? ""))
      .toBe("question-board");
    await main().getByRole("button", { name: "Begin anew" }).click();
  });
});

describe("the names of features", () => {
  it("are given in the form, and stand where rows are typed", async () => {
    await openPage(page, "/deploy?sample=iris-mlp&engine=onnx");
    const form = deployPage(page);
    await form.reading();
    await main().getByRole("button", { name: "Name its 4 values" }).click();
    const first = main().getByLabel("Name of value 1");
    await expect.poll(() => first.getAttribute("placeholder")).toBe("sepal length");
    await first.fill("Kelchblatt");
    await main().getByLabel("Unit of value 1").fill("mm");
    await main().getByLabel("Value 1, usually from").fill("ten");
    await form.giveName("named-features");
    await deployButton().click();
    await main()
      .getByRole("alert")
      .getByText("“ten”, at value Kelchblatt, is no number.")
      .waitFor();
    await main().getByLabel("Value 1, usually from").fill("40");
    await main().getByLabel("Value 1, usually to").fill("80");
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "deploy-signature");
    await form.deploy();
    await untilReady(installation, "named-features", 60_000);
    await openPage(page, "/endpoints/named-features");
    await endpointPage(page).view("Form");
    const field = main().getByLabel(/^Kelchblatt/);
    await field.waitFor();
    expect(await main().getByText("40.0 to 80.0").first().innerText()).not.toBe("");
    await endpointPage(page).view("Table");
    await main()
      .getByRole("columnheader", { name: /Kelchblatt\s*mm/ })
      .waitFor();
    // A further revision begins with them.
    await openPage(page, "/deploy?endpoint=named-features");
    await form.reading();
    await main().getByText("Kelchblatt (mm), sepal width").waitFor();
  });
});

describe("what can only fail", () => {
  it("is refused before anything is made: a model that cannot be read", async () => {
    await openPage(page, "/deploy");
    const form = deployPage(page);
    await form.giveUrl("s3://boardwalk-samples/nothing/model.onnx");
    await form.refusal();
    await form.giveName("unreadable");
    const before = posts.length;
    await deployButton().click();
    await main().getByRole("alert").getByText("The model cannot be read.").waitFor();
    await expect.poll(focused).toMatch(/^DIV/);
    expect(posts.length).toBe(before);
    expect(await isFree("unreadable")).toBe(true);
    await expect
      .poll(() => page.getByLabel("Which model?").inputValue())
      .toContain("nothing/model.onnx");
    await expect.poll(() => form.name()).toBe("unreadable");
    expect(await barriersOn(page)).toEqual([]);
    await main().locator("#reading").getByRole("link", { name: "About this error" }).click();
    await deployPage(page).leave();
    await page.getByRole("heading", { name: "SOURCE_NOT_FOUND" }).waitFor();
    await page.getByText("There is no file at the address of the model.").waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "error-page");
    // What was filled in is kept meanwhile.
    await page.goBack();
    await expect.poll(() => form.name()).toBe("unreadable");
  });

  it("offers no second try where nothing can change", async () => {
    await openPage(page, "/deploy");
    await deployPage(page).giveUrl("https://10.0.0.1/model.onnx");
    await deployPage(page).refusal();
    expect(await main().getByRole("button", { name: "Try again" }).count()).toBe(0);
  });

  it("is refused before anything is made: a board that is too small", async () => {
    await openPage(page, "/deploy?board=icestick&engine=boardwalk");
    const form = deployPage(page);
    await form.giveFile("tests/fixtures/models/wine-sklearn-forest/model.onnx");
    await form.reading();
    await card("iCEstick, simulated")
      .getByText(/^Needs \d{3}/)
      .waitFor();
    await form.giveName("too-large");
    const before = posts.length;
    await deployButton().click();
    await main()
      .getByRole("alert")
      .getByText(/does not fit this board: it needs/)
      .waitFor();
    expect(posts.length).toBe(before);
    expect(await isFree("too-large")).toBe(true);
    await takePictures(page, "deploy-too-large");
  });

  it("is said at its question when the server alone knows it", async () => {
    const { status, body } = await installation.api("/endpoints", {
      method: "POST",
      body: JSON.stringify({
        name: "card-model",
        engine: "boardwalk",
        model: { url: "s3://boardwalk-samples/iris-mlp/card.json" },
        board: { model: "icebreaker", kind: "simulated" },
      }),
    });
    const { error } = body as { error: { reason: string; field: string; help: string } };
    expect([status, error.field]).toEqual([422, "model.url"]);
    expect(error.help).toBe(`/errors/${error.reason}`);
    expect(await isFree("card-model")).toBe(true);
    await openPage(page, error.help);
    await page.getByRole("heading", { name: error.reason }).waitFor();
  });
});

describe("an uploaded model", () => {
  const fileName = "beam <img src=x onerror=alert(1)>.onnx";

  it("is called by its file's name in the form, on its build and in the lists, as text alone", async () => {
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    const folder = await mkdtemp(join(tmpdir(), "bw-upload-"));
    const path = join(folder, fileName);
    await writeFile(path, await readFile("public/samples/iris-mlp/model.onnx"));
    await openPage(page, "/deploy?engine=onnx");
    const form = deployPage(page);
    await form.giveFile(path);
    await form.reading();
    await expect
      .poll(() => page.getByLabel("Which model?").inputValue())
      .toBe(`Uploaded file: ${fileName}`);
    await expect.poll(() => focused()).toBe("DIV reading");
    await form.giveName("uploaded");
    await form.deploy();
    await page.getByText(fileName).first().waitFor();
    expect(await buildPage(page).aroundLog()).not.toMatch(/[0-9a-f]{64}/);
    await untilReady(installation, "uploaded", 60_000);
    await openPage(page, "/endpoints/uploaded?tab=revisions");
    await main().getByText(fileName).first().waitFor();
    await openPage(page, "/endpoints");
    await main().getByText(fileName).first().waitFor();
    expect(dialogs).toEqual([]);
    expect(await page.locator("img[src=x]").count()).toBe(0);
  });

  it("is already built where its artifact exists", async () => {
    await openPage(page, "/deploy?engine=onnx&sample=iris-mlp");
    await deployPage(page).reading();
    await card("CPU")
      .getByText(/^Already built/)
      .waitFor();
  });
});

describe("the keyboard alone", () => {
  it("deploys a sample from Home to an answer, and is never lost", async () => {
    await openPage(page, "/deploy?engine=onnx");
    await page.locator("#url").focus();
    // To the samples, past the button for files.
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => focused()).toBe("DIV reading");
    await deployPage(page).reading();
    await deployPage(page).giveName("by-keys");
    // From anywhere, even where nothing has the focus.
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press("Control+Enter");
    await page.waitForURL(/\/builds\/bld_/);
    await expect.poll(focused, { timeout: 10_000 }).toMatch(/^H1 by-keys/);
    await untilReady(installation, "by-keys", 60_000);
    await openPage(page, "/endpoints/by-keys");
    await endpointPage(page).waitForState("ready", 30_000);
    await page.keyboard.press("Control+k");
    const search = page.getByRole("combobox", { name: "Search or jump to" });
    await expect
      .poll(() => search.evaluate((field) => field === document.activeElement))
      .toBe(true);
    await page.keyboard.type("glossary");
    await page.locator("[role=option][data-highlighted]", { hasText: "Glossary" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Glossary" }).waitFor();
  });
});

describe("the pages of words", () => {
  it("list every error, find one by its words, and say when none is so", async () => {
    await openPage(page, "/errors");
    const links = main().locator("a[href^='/errors/']");
    await expect.poll(() => links.count()).toBe(Object.keys(reasons).length);
    await page.getByRole("searchbox", { name: "Search errors" }).fill("disk full");
    await expect.poll(() => links.allInnerTexts()).toEqual(["OUTPUT_MISSING", "NO_SPACE"]);
    await expect.poll(() => page.url()).toContain("search=disk");
    await page.getByRole("searchbox", { name: "Search errors" }).fill("zebra");
    await main().getByText("No error matches “zebra”.").waitFor();
    const answer = await page.goto("/errors/NO_SUCH_REASON");
    expect(answer?.status()).toBe(404);
  });

  it("open a definition where a word first stands, by the keyboard too", async () => {
    await openPage(page, "/deploy?sample=digits-mlp&engine=boardwalk");
    await deployPage(page).reading();
    const word = page.getByRole("button", { name: "Block RAM" });
    await word.waitFor();
    await page.keyboard.press("Tab");
    await word.focus();
    await page.getByText("Memory blocks inside the FPGA.").waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await page.keyboard.press("Tab");
    await page.getByText("Memory blocks inside the FPGA.").waitFor({ state: "detached" });
  });

  it.each([
    "/",
    "/deploy",
    "/deploy?sample=digits-mlp",
    "/errors",
    "/errors/INTERNAL",
    "/glossary",
  ])(
    "and %s have no barriers in either theme and language, and fit 390 and 320 px",
    async (path) => {
      const url = installation.portalUrl;
      for (const [theme, language] of [
        ["light", "en"],
        ["dark", "it"],
      ] as const) {
        await visit.context.addCookies([
          { name: "theme", value: theme, url },
          { name: "language", value: language, url },
        ]);
        await openPage(page, path);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await settle(page);
        expect(await barriersOn(page)).toEqual([]);
        for (const width of [390, 320]) {
          await page.setViewportSize({ width, height: 844 });
          const spill = () =>
            page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
          await expect.poll(spill, { message: `at ${width}` }).toBe(0);
        }
        await page.setViewportSize({ width: 1440, height: 900 });
      }
      await visit.context.clearCookies();
    },
  );
});

describe("a phone", () => {
  it("has Deploy and the verdict on its first screen, and as one button", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await openPage(page, "/deploy?sample=digits-mlp&engine=boardwalk");
    await deployPage(page).reading();
    const bar = page.getByRole("region", { name: "Deploy what is chosen" });
    await bar.getByText(/^Fits, about/).waitFor();
    const box = await bar.getByRole("button", { name: "Deploy" }).boundingBox();
    expect((box?.y ?? 844) + (box?.height ?? 0)).toBeLessThanOrEqual(844 - 56);
    await expect.poll(() => deployButton().count()).toBe(1);
    // What has the focus is not hidden by the bar.
    await page.getByRole("searchbox", { name: "Filter boards" }).focus();
    const field = await page.getByRole("searchbox", { name: "Filter boards" }).boundingBox();
    const top = (await bar.boundingBox())?.y ?? 0;
    expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThanOrEqual(top);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("took no fault of the pages", () => {
    expect(visit.complaints.filter((text) => !/40[49]|422|Failed to load/.test(text))).toEqual([]);
  });
});
