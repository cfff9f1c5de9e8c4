import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeFakeUsb } from "@/tests/board-server/support/fake-usb";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { openPage } from "./pages";
import { barriersOn, openBrowser, type Visit } from "./support/browser";
import { takePictures } from "./support/pictures";

// Boards on USB, as the page shows them. The devices are folders laid out as the kernel lays them.

const folder = mkdtempSync(join(tmpdir(), "bw-e2e-usb-"));
const usb = makeFakeUsb(folder);
let installation: Installation;
let visit: Visit;
let page: Page;

function plugIn(socket: string, product: string, serial: string, tty: string | null): void {
  usb.plugIn({
    socket,
    vendorId: tty ? "0403" : "1d50",
    productId: tty ? "6010" : "6130",
    product,
    serial,
    lines: tty ? [{ interface: 1, tty }] : [],
  });
  if (tty === null) return;
  const terminal = join(usb.host.dev, tty);
  writeFileSync(terminal, "");
  usb.addLine(`usb-${product.replaceAll(" ", "_")}_${serial}-if01-port0`, terminal);
}

beforeAll(async () => {
  installation = await startInstallation("e2e-usb", {
    variables: { BOARD_SERVER_SYS_DIR: usb.host.sys, BOARD_SERVER_DEV_DIR: usb.host.dev },
  });
  visit = await openBrowser({ baseURL: installation.portalUrl, reducedMotion: "reduce" });
  page = visit.page;
});
afterAll(async () => {
  await visit?.browser.close();
  await installation?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const device = (name: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });

describe("boards on USB", () => {
  it("appear on the page when they are plugged in", async () => {
    await openPage(page, "/boards");
    await page.getByRole("heading", { name: "Catalogue" }).waitFor();
    expect(await page.getByRole("heading", { name: "On USB" }).count()).toBe(0);
    plugIn("1-1", "iCEBreaker V1.0e", "ib4Wx1", "ttyUSB1");
    // It may be seen a moment before its line is.
    await device("iCEBreaker V1.0e")
      .getByText(/number ib4Wx1.*if01-port0/)
      .waitFor();
  });

  it("are adopted by a press, and are boards then", async () => {
    await page.getByRole("button", { name: "Adopt iCEBreaker V1.0e" }).click();
    await page.getByRole("button", { name: "Give up icebreaker-1" }).waitFor();
    await page.getByRole("heading", { name: "iCEBreaker icebreaker-1" }).waitFor();
  });

  it("are asked after where they say the same, or have no line of their own", async () => {
    plugIn("1-2", "Dual RS232-HS", "FT4QX", "ttyUSB3");
    plugIn("1-3", "TinyFPGA BX", "bx-2", null);
    const adapter = join(usb.host.dev, "ttyUSB4");
    writeFileSync(adapter, "");
    usb.addLine("usb-FTDI_TTL232R_A1-if00-port0", adapter);
    await device("Dual RS232-HS").waitFor();
    const model = page.getByRole("combobox", { name: "Board model of Dual RS232-HS" });
    await expect.poll(() => model.locator("option").allInnerTexts()).toContain("iCEstick");
    const line = page.getByRole("combobox", { name: "Serial line of TinyFPGA BX" });
    await line.waitFor();
    // Adapters come first, lines of adopted boards not at all.
    await expect
      .poll(() => line.locator("option").allInnerTexts())
      .toEqual(["usb-FTDI_TTL232R_A1-if00-port0", "usb-Dual_RS232-HS_FT4QX-if01-port0"]);
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "boards-usb");
    await page.getByRole("button", { name: "Adopt TinyFPGA BX" }).click();
    await page.getByRole("button", { name: "Give up tinyfpga-bx-1" }).waitFor();
  });

  it("are given up by a press", async () => {
    await page.getByRole("button", { name: "Give up icebreaker-1" }).click();
    await page.getByRole("button", { name: "Adopt iCEBreaker V1.0e" }).waitFor();
    const board = page.getByRole("heading", { name: "iCEBreaker icebreaker-1" });
    await board.waitFor({ state: "detached" });
  });
});
