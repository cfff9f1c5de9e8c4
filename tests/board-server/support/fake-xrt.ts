import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type FakeFabric, makeFakeFabric } from "./fake-fabric";

/** A host with Alveo cards that is none: a folder with a fake xbutil and a fake pyxrt, and a simulated design. */
export interface FakeXrt {
  /** Where XRT is installed. */
  readonly xrt: string;
  readonly fabric: FakeFabric;
  /** What xbutil was asked. */
  calls(): string[];
  /** What was loaded, and on which card. */
  loads(): string[];
  cards(cards: readonly object[]): void;
  /** Makes xbutil fail with these words; null: no more. */
  fail(words: string | null): void;
  pull(): void;
  plugIn(): void;
  close(): Promise<void>;
}

/** A card as the real tool writes it down. */
export const u50 = {
  bdf: "0000:65:00.1",
  device_class: "Alveo",
  vbnv: "xilinx_u50_gen3x16_xdma_base_5",
  id: "0x0",
  instance: "user(inst=128)",
  is_ready: "true",
};

/** Makes a host with one card. */
export async function makeFakeXrt(folder: string): Promise<FakeXrt> {
  const xrt = join(folder, "xrt");
  const support = resolve("tests/board-server/support");
  for (const name of ["bin", "python", "lib"]) mkdirSync(join(xrt, name), { recursive: true });
  symlinkSync(join(support, "fake-xbutil.py"), join(xrt, "bin/xbutil"));
  symlinkSync(join(support, "fake-pyxrt.py"), join(xrt, "python/pyxrt.py"));
  const fabric = await makeFakeFabric(join(folder, "fabric"));
  const put = (name: string, text: string) => writeFileSync(join(xrt, name), text);
  const lines = (name: string) =>
    existsSync(join(xrt, name)) ? readFileSync(join(xrt, name), "utf8").trim().split("\n") : [];
  put("fabric", fabric.socket);
  put("cards.json", JSON.stringify([u50]));
  return {
    xrt,
    fabric,
    calls: () => lines("calls"),
    loads: () => lines("loads"),
    cards: (cards) => put("cards.json", JSON.stringify(cards)),
    fail: (words) => (words === null ? rmSync(join(xrt, "fails")) : put("fails", words)),
    pull: () => put("gone", ""),
    plugIn: () => rmSync(join(xrt, "gone")),
    close: () => fabric.close(),
  };
}
