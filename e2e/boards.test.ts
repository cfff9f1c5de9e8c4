import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BoardDetail, BoardListCounts, ExportedBoard } from "@/lib/common/contract";
import { deploy, untilReady } from "@/tests/support/client";
import { fillBoards } from "@/tests/support/fill-boards";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { boardPage, listPage, openPage } from "./pages";
import { barriersOn, openBrowser, type Visit } from "./support/browser";
import { takePictures } from "./support/pictures";

// Boards from the screen: one that serves is drained, tested and made to blink; lists of many are found through. What is said is
// held to the API and the database.

let installation: Installation;
let visit: Visit;
let page: Page;
let database: pg.Client;
/** The simulated board that serves `iris-e2e`, and the CPU. */
let board: BoardDetail;
let cpuId: string;

const hostile = `<img src=x onerror="document.title='taken'">`;

const read = async <T>(path: string): Promise<T> =>
  (await installation.api(path)).body as unknown as T;
const ask = async <T extends object>(text: string): Promise<T[]> =>
  (await database.query<T>(text)).rows;

beforeAll(async () => {
  installation = await startInstallation("e2e-boards");
  database = new pg.Client({ connectionString: installation.variables["DATABASE_URL"] ?? "" });
  await database.connect();
  await deploy(installation, {
    name: "iris-e2e",
    engine: "boardwalk",
    model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
    board: { model: "icebreaker", kind: "simulated" },
  });
  await untilReady(installation, "iris-e2e", 240_000);
  const { boardId } = await read<{ boardId: string }>("/endpoints/iris-e2e");
  board = await read<BoardDetail>(`/boards/${boardId}`);
  const { items } = await read<{ items: { id: string }[] }>("/boards?kind=cpu");
  cpuId = items[0]?.id ?? "";
  visit = await openBrowser({ baseURL: installation.portalUrl, reducedMotion: "reduce" });
  page = visit.page;
}, 300_000);

afterAll(async () => {
  await visit?.browser.close();
  await database?.end();
  await installation?.stop();
});

describe("the page of a board", () => {
  it("says what is loaded, that it is as it should be, and where it hangs", async () => {
    const view = boardPage(page);
    await view.open(board.id);
    const holds = view.part("What it holds");
    await holds.getByRole("link", { name: "iris-e2e" }).waitFor();
    await holds.getByText("as it should be").waitFor();
    const [slot] = board.slots;
    expect(await holds.locator("code").first().getAttribute("title")).toBeNull();
    await expect
      .poll(() => holds.getByRole("link").nth(1).getAttribute("title"))
      .toBe(slot?.artifactDigest);
    const facts = await view.part("How it is").innerText();
    expect(facts).toContain("0 of 1 place free");
    expect(facts).toContain(board.server.name);
    expect(facts).toMatch(/Not verified on hardware/);
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "board-now");
  });

  it("has each tab in its address, without barriers in both themes and at 320 pixels", async () => {
    const view = boardPage(page);
    await view.open(board.id);
    for (const name of ["History", "Resources", "Access", "Configuration"]) {
      await view.tab(name);
      await page.waitForURL(`**/boards/${board.id}?tab=${name.toLowerCase()}`);
      await page.waitForFunction(() => document.querySelector("main .skeleton") === null);
      for (const theme of ["light", "dark"]) {
        await page.evaluate((value) => {
          document.documentElement.dataset["theme"] = value;
        }, theme);
        expect([name, theme, await barriersOn(page)]).toEqual([name, theme, []]);
      }
      await page.setViewportSize({ width: 320, height: 700 });
      await expect.poll(() => listPage(page).spill(), { message: name }).toBe(0);
      await takePictures(page, `board-${name.toLowerCase()}`);
    }
    await page.goBack();
    await page.waitForURL("**?tab=access");
  });

  it("shows budget and pins as the catalogue has them, and offers the file", async () => {
    const view = boardPage(page);
    await view.open(board.id, "?tab=resources");
    const budget = view.part("What the part has");
    await budget.getByRole("row", { name: /Logic cells \(LUT4\) 5,280/ }).waitFor();
    await budget.getByRole("row", { name: /Multipliers 8/ }).waitFor();
    const fits = await read<{ items: { digest: string; buildId: string }[] }>(
      `/boards/${board.id}/artifacts`,
    );
    const stored = await ask<{ digest: string }>(
      "SELECT digest FROM artifact WHERE manifest ->> 'boardModel' = 'icebreaker' ORDER BY created_at DESC",
    );
    expect(fits.items.map(({ digest }) => digest)).toEqual(stored.map(({ digest }) => digest));
    const deploy = view
      .part("What fits")
      .getByRole("link", { name: /^Deploy / })
      .first();
    await expect
      .poll(() => deploy.getAttribute("href"))
      .toBe(`/deploy?build=${fits.items[0]?.buildId}`);
    await page.getByRole("application", { name: /^Placement on/ }).waitFor();
    await view.tab("Configuration");
    await view
      .part("Pins")
      .getByRole("row", { name: /serial in \(rx\) 6/ })
      .waitFor();
    await view
      .part("Pins")
      .getByRole("row", { name: /LED 2 37 active low/ })
      .waitFor();
    const server = await view.part("Its board server").innerText();
    expect(server).toContain(board.server.keyFingerprint);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Board file (JSON)" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("icebreaker.json");
  });

  it("runs its self-test, whose result shows by itself and stays in its history", async () => {
    const view = boardPage(page);
    await view.open(board.id);
    await view.button("Run self-test").click();
    const tasks = view.part("Tests and blinks");
    await tasks.getByText("16 rows are as the build recorded").waitFor();
    await expect.poll(() => tasks.innerText()).toMatch(/Self-test\s*passed/);
    await view.tab("History");
    await view.part("What happened").getByText("Self-test passed").waitFor();
    const [counts] = await ask<{ loaded: number; failed: number }>(
      `SELECT count(*) FILTER (WHERE kind = 'loaded')::int AS loaded, count(*) FILTER (WHERE kind = 'failed')::int AS failed
       FROM board_history WHERE board_id = '${board.id.slice(4)}'`,
    );
    await expect
      .poll(() => page.getByTestId("loads").innerText())
      .toBe(`${counts?.loaded} of ${(counts?.loaded ?? 0) + (counts?.failed ?? 0)}`);
    await expect.poll(() => page.getByTestId("tests").innerText()).toBe("1 of 1");
    await page.getByRole("button", { name: "30 days" }).click();
    await page.getByRole("button", { name: "Tests", exact: true }).click();
    await page.waitForURL(/(?=.*range=30d)(?=.*part=tests)/);
    const address = page.url();
    await page.reload();
    await view.part("What happened").getByText("Loaded and tested").waitFor();
    expect(page.url()).toBe(address);
  });

  it("blinks where it can, and says why where it cannot", async () => {
    const view = boardPage(page);
    await view.open(board.id);
    await view.choose("Blink");
    await page.getByText("The LED of the drawing is lit while it blinks.").waitFor();
    await view.part("Tests and blinks").getByText("done").waitFor({ timeout: 15_000 });
    await view.open(cpuId);
    await view.choose("Blink");
    await expect.poll(() => view.refusal()).toMatch(/is a CPU: it has no LED of its own/);
    await view.button("Run self-test").click();
    await expect.poll(() => view.refusal()).toMatch(/Nothing serves on .* could be tested/);
  });

  it("is drained by keyboard after saying what happens, moves what it holds, and is resumed by Undo", async () => {
    const view = boardPage(page);
    await view.open(board.id);
    await view.button("Drain").focus();
    await page.keyboard.press("Enter");
    const words = await view.dialog.innerText();
    expect(words).toMatch(/takes nothing new from now on, also after a restart/);
    expect(words).toMatch(/iris-e2e has no other replica\. It moves when another board has room/);
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "board-drain");
    await view.dialog.getByRole("button", { name: "Drain" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await page.getByText(/^Drained since/).waitFor();
    const [row] = await ask<{ drain: string }>(
      `SELECT drain FROM board WHERE id = '${board.id.slice(4)}'`,
    );
    expect(row?.drain).toBe("move");
    const holder = async () =>
      (await read<{ boardId: string; state: string }>("/endpoints/iris-e2e")).boardId;
    await expect.poll(holder, { timeout: 30_000 }).not.toBe(board.id);
    // A simulated board goes once nothing is on it; its page tells so and keeps its history.
    await page.getByText(/^This board is no longer here/).waitFor({ timeout: 30_000 });
    board = await read<BoardDetail>(`/boards/${await holder()}`);
    await view.open(cpuId);
    await view.button("Drain").click();
    await view.dialog.getByRole("button", { name: "Drain" }).click();
    await page.getByText("It takes nothing new, and holds nothing").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await view.button("Drain").waitFor();
    expect((await read<BoardDetail>(`/boards/${cpuId}`)).drain).toBeUndefined();
  });

  it("is reloaded after saying whose requests fail", async () => {
    const view = boardPage(page);
    await view.open(board.id);
    await view.choose(/^Reload/);
    await expect
      .poll(() => view.dialog.innerText())
      .toContain("requests to these endpoints fail: iris-e2e");
    await view.dialog.getByRole("button", { name: "Reload" }).click();
    await page
      .getByText(/is being reloaded/)
      .first()
      .waitFor();
    const loads = async () =>
      (
        await ask(
          `SELECT 1 FROM board_history WHERE board_id = '${board.id.slice(4)}' AND kind = 'loaded'`,
        )
      ).length;
    await expect.poll(loads, { timeout: 20_000 }).toBe(2);
  });

  it("shows what boards are called as text, whatever they are called", async () => {
    await database.query("UPDATE board SET name = $1 WHERE id = $2", [hostile, board.id.slice(4)]);
    const view = boardPage(page);
    for (const query of ["", "?tab=history", "?tab=access", "?tab=configuration"]) {
      await view.open(board.id, query);
      await page.getByRole("heading", { name: hostile }).waitFor();
    }
    await openPage(page, "/boards");
    await page.getByRole("link", { name: hostile }).waitFor();
    expect(await page.title()).not.toBe("taken");
    expect(await page.locator("main img").count()).toBe(0);
  });

  it("says that there is no such board", async () => {
    const view = boardPage(page);
    await view.open("brd_00000000-0000-7000-8000-00000000dead");
    await page.getByText("There is no board “").first().waitFor();
    await page.getByRole("link", { name: "All boards" }).click();
    await page.waitForURL("**/boards");
  });
});

describe("a host that is to be enrolled", () => {
  it("gets a line with a code, which is stored hashed and good for 15 minutes", async () => {
    await openPage(page, "/boards#enrol");
    await page.getByRole("button", { name: "Make an enrolment code" }).click();
    const line = await page.getByText(/BOARD_SERVER_ENROL_CODE=bw_enrol_/).innerText();
    const code = line.match(/BOARD_SERVER_ENROL_CODE=(\S+)/)?.[1] ?? "";
    const found = await ask<{ minutes: number }>(
      `SELECT round(extract(epoch FROM expires_at - now()) / 60)::int AS minutes FROM enrolment
       WHERE code_sha256 = encode(sha256('${code}'::bytea), 'hex')`,
    );
    expect(found).toEqual([{ minutes: 15 }]);
    await page.getByText(/enrols one board server, once, until/).waitFor();
    await page.getByRole("button", { name: "Copy the line" }).waitFor();
    expect(await barriersOn(page)).toEqual([]);
  });
});

describe("the list of boards", () => {
  beforeAll(async () => {
    await fillBoards(installation.variables["DATABASE_URL"] ?? "", { boards: 240 });
    // The reconciler takes away simulated boards that nothing is on.
    const unused = `SELECT 1 FROM board b WHERE kind = 'simulated' AND removed_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM slot l WHERE l.board_id = b.id AND l.state <> 'empty')`;
    while ((await ask(unused)).length > 0) await delay(200);
  });

  it("counts by state what the API counts, and shows hardware first as cards", async () => {
    const list = listPage(page);
    await openPage(page, "/boards");
    await page.locator(".row-link").first().waitFor();
    const counts = await read<BoardListCounts>("/counts/boards");
    const total = counts.states.reduce((sum, { count }) => sum + count, 0);
    const { all } = await list.counters();
    expect(all).toBe(total);
    const [stored] = await ask<{ n: number }>(
      "SELECT count(*)::int AS n FROM board WHERE removed_at IS NULL",
    );
    expect(total).toBe(stored?.n);
    await expect
      .poll(() => page.getByTestId("capacity").innerText())
      .toContain(`${counts.slots.all} places, ${counts.slots.free} free`);
    const first = await read<{ items: { id: string; kind: string }[] }>("/boards?limit=50");
    await expect.poll(() => list.links()).toEqual(first.items.map(({ id }) => `/boards/${id}`));
    expect(first.items[0]?.kind).toBe("physical");
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "list-boards");
  });

  it("is filtered by kind, host and text, drawn as a table, and shared by its address", async () => {
    const list = listPage(page);
    await openPage(page, "/boards");
    const filters = page.getByRole("search");
    await filters.getByLabel("Kind", { exact: true }).selectOption("simulated");
    await filters.getByLabel("Board server", { exact: true }).selectOption("host-2");
    await page.getByRole("searchbox").fill("bench-1");
    await page.getByRole("button", { name: "Table", exact: true }).click();
    await page.getByRole("columnheader", { name: "Board server" }).waitFor();
    const expected = await read<{ items: { id: string }[] }>(
      "/boards?kind=simulated&server=host-2&search=bench-1&limit=50",
    );
    const links = expected.items.map(({ id }) => `/boards/${id}`);
    expect(links.length).toBeGreaterThan(2);
    await expect.poll(() => list.links()).toEqual(links);
    await page.waitForURL(/(?=.*search=bench-1)(?=.*view=table)/);
    const address = page.url();
    await page.reload();
    await expect.poll(() => list.links()).toEqual(links);
    expect(page.url()).toBe(address);
    const json = JSON.parse(await list.exported("JSON")) as ExportedBoard[];
    expect(json.map(({ id }) => `/boards/${id}`)).toEqual(links);
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "list-boards-table");
  });

  it("is walked with arrows, selected with Space, and drains several at once", async () => {
    await openPage(page, "/boards?kind=physical&server=host-1");
    await page.locator(".row-link").first().focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Space");
    await page.getByText("2 boards are selected.").waitFor();
    const before = await ask("SELECT 1 FROM board WHERE drain IS NOT NULL");
    await page.getByRole("button", { name: /^Drain \d/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: /^Drain \d/ }).click();
    const drained = async () => (await ask("SELECT 1 FROM board WHERE drain IS NOT NULL")).length;
    await expect.poll(drained).toBeGreaterThan(before.length);
  });

  it.each([320, 700, 820])(
    "at %d pixels needs no sideways scroll and hides no barrier",
    async (width) => {
      await page.setViewportSize({ width, height: 700 });
      for (const path of ["/boards", "/boards?view=table", "/boards?search=zebra"]) {
        await openPage(page, path);
        await page.getByRole("button", { name: "Export" }).waitFor();
        await expect.poll(() => listPage(page).spill(), { message: path }).toBe(0);
        expect([path, await barriersOn(page)]).toEqual([path, []]);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    },
  );
});

describe("the whole visit", () => {
  it("had nothing to complain of but the board that is not there", () => {
    // While its board is reloaded an endpoint answers 503, which is said on the page.
    const others = visit.complaints.filter((text) => !/404|503/.test(text));
    expect(others).toEqual([]);
  });
});
