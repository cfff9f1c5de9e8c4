import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OriginalBoard, startOriginalBoard } from "@/tests/support/bond/original-board";
import { until } from "@/tests/support/client";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { openPage } from "./pages";
import { barriersOn, openBrowser, type Visit } from "./support/browser";
import { takePictures } from "./support/pictures";

// Boards at addresses, as the page shows them. The board answers the recorded bytes of BondMachine's original one.

let board: OriginalBoard;
let installation: Installation;
let visit: Visit;
let page: Page;

beforeAll(async () => {
  board = await startOriginalBoard();
  installation = await startInstallation("e2e-attach");
  await until("the board server", async () => {
    const { body } = await installation.api("/boards");
    return (body as { items: unknown[] }).items.length > 0;
  });
  visit = await openBrowser({ baseURL: installation.portalUrl, reducedMotion: "reduce" });
  page = visit.page;
});
afterAll(async () => {
  await visit?.browser.close();
  await installation?.stop();
  await board?.stop();
});

async function attach(address: string, bitstream: string): Promise<void> {
  await page.getByLabel("Address", { exact: true }).fill(address);
  await page.getByLabel("Firmware in its store").fill(bitstream);
  await page.getByRole("button", { name: "Attach and try" }).click();
}
const attached = (address: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: address }) });

describe("boards at addresses", () => {
  it("are tried when they are attached, and each step says how it went", async () => {
    await openPage(page, "/boards");
    await attach(board.address, "nothere");
    const one = attached(board.address);
    await one.getByText("refused", { exact: true }).waitFor();
    await expect
      .poll(() => one.innerText())
      .toMatch(/does not load nothere: Downloaded bitstream is not correct/);
    await expect.poll(() => one.innerText()).toMatch(/nothere\.bit.*store/);
    await expect
      .poll(() => one.getByRole("list").innerText())
      .toMatch(/Connect\s+done[\s\S]*Load\s+failed[\s\S]*Predict\s+waiting/);
  });

  it("are not attached twice, and are given up by a press", async () => {
    await attach(board.address, "banknote");
    await page.getByText("It was not attached.").waitFor();
    await expect
      .poll(() => page.getByText(`${board.address} is board zedboard-bond-1 already.`).count())
      .toBe(1);
    await page.getByRole("button", { name: `Give up ${board.address}` }).click();
    await attached(board.address).waitFor({ state: "detached" });
  });

  it("are boards once they have passed", async () => {
    await attach(board.address, "banknote");
    const one = attached(board.address);
    await one.getByText("attached", { exact: true }).waitFor();
    await expect.poll(() => one.innerText()).toMatch(/answered by 2 numbers/);
    await page.getByRole("heading", { name: "ZedBoard zedboard-bond-1" }).waitFor();
  });

  it("bar nobody", async () => {
    await attach("127.0.0.1:9", "banknote");
    await attached("127.0.0.1:9").getByText("refused", { exact: true }).waitFor();
    expect(await barriersOn(page)).toEqual([]);
    expect(visit.complaints.filter((text) => !/409/.test(text))).toEqual([]);
    await takePictures(page, "attached-boards");
  });
});
