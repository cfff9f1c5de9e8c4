import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PluggedBoards } from "@/board-server/devices";
import { serialBoard } from "@/board-server/devices/physical";
import { lookAround } from "@/board-server/host/usb";
import { makeFakeUsb } from "./support/fake-usb";

// What a board server sees of its host: folders laid out as the kernel lays them.

let folder: string;
let usb: ReturnType<typeof makeFakeUsb>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bw-usb-"));
  usb = makeFakeUsb(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function terminal(tty: string): string {
  const path = join(usb.host.dev, tty);
  writeFileSync(path, "");
  return path;
}

describe("the sockets of a host", () => {
  it("hold boards with their design's line, by names that stay", async () => {
    usb.plugIn({ socket: "usb1", vendorId: "1d6b", productId: "0002", product: "xHCI" });
    usb.plugIn({
      socket: "1-1.2",
      vendorId: "0403",
      productId: "6010",
      product: "iCEBreaker V1.0e",
      serial: "ib4Wx1",
      lines: [
        { interface: 0, tty: "ttyUSB0" },
        { interface: 1, tty: "ttyUSB1" },
      ],
    });
    usb.plugIn({
      socket: "1-2",
      vendorId: "1d50",
      productId: "602b",
      lines: [{ interface: 2, tty: "ttyACM0", modem: true }],
    });
    usb.addLine("usb-iCEBreaker-if00", terminal("ttyUSB0"));
    const line = usb.addLine("usb-iCEBreaker-if01", terminal("ttyUSB1"));
    const modem = usb.addLine("usb-iCELink-if02", terminal("ttyACM0"));
    const { sightings, serialPorts } = await lookAround(usb.host);
    expect(sightings).toEqual([
      {
        key: "0403:6010:ib4Wx1",
        product: "iCEBreaker V1.0e",
        serialNumber: "ib4Wx1",
        serialPort: line,
        boardModels: ["icebreaker"],
      },
      {
        key: "1d50:602b:1-2",
        product: "iCESugar v1.5",
        serialNumber: null,
        serialPort: modem,
        boardModels: ["icesugar"],
      },
    ]);
    expect(serialPorts).toHaveLength(3);
  });

  it("hold nothing on a host without USB", async () => {
    const none = { sys: join(folder, "no-sys"), dev: join(folder, "no-dev") };
    expect(await lookAround(none)).toEqual({ sightings: [], serialPorts: [] });
  });
});

describe("the boards of a host", () => {
  const adopted = { key: "icebreaker-1", sighting: "a", boardModel: "icebreaker" };

  it("are those of its file, and those that were adopted on other lines", () => {
    const line = terminal("ttyUSB1");
    const lasting = usb.addLine("usb-iCEBreaker-if01", line);
    const boards = new PluggedBoards([
      serialBoard({ key: "bench-1", boardModel: "icebreaker", serialPort: line }),
    ]);
    boards.adopt([
      { ...adopted, serialPort: lasting },
      { ...adopted, key: "icebreaker-2", serialPort: "/dev/ttyUSB7" },
      { ...adopted, key: "alveo-u50-1", boardModel: "a model of tomorrow", serialPort: "/dev/x" },
    ]);
    expect(boards.all.map(({ key }) => key)).toEqual(["bench-1", "icebreaker-2"]);
    expect(boards.isNamed(lasting)).toBe(true);
    expect(boards.find("icebreaker-2")?.serialPort).toBe("/dev/ttyUSB7");
    expect(boards.find("icebreaker-1")).toBeNull();
  });

  it("are programmed over what was put on them, and over no other board's design", async () => {
    const boards = new PluggedBoards([
      serialBoard({ key: "bench-1", boardModel: "icebreaker", serialPort: "/dev/ttyUSB1" }),
    ]);
    boards.adopt([{ ...adopted, serialPort: "/dev/ttyUSB7" }]);
    const isTaken = (key: string, found: string) => {
      try {
        boards.requireOwn(key, found, "wanted");
        return true;
      } catch (error) {
        expect(error).toMatchObject({ reason: "DEVICE_MISMATCH" });
        return false;
      }
    };
    expect(isTaken("bench-1", "of an earlier installation")).toBe(true);
    const saved: unknown[] = [];
    boards.recall({ "bench-1": ["one"] }, async (plans) => {
      saved.push(plans);
    });
    expect(isTaken("icebreaker-1", "one")).toBe(false);
    expect(isTaken("icebreaker-1", "of an earlier installation")).toBe(true);
    expect(isTaken("bench-1", "of an earlier installation")).toBe(false);
    expect(isTaken("bench-1", "wanted")).toBe(true);
    await boards.notePlans("bench-1", ["one", "two"]);
    expect(saved).toEqual([{ "bench-1": ["one", "two"] }]);
    expect([isTaken("bench-1", "one"), isTaken("bench-1", "two")]).toEqual([true, true]);
    await boards.confirmPlan("bench-1", "two");
    expect(isTaken("bench-1", "one")).toBe(false);
    // Another device has its name now.
    await boards.confirmPlan("icebreaker-1", "three");
    expect(isTaken("icebreaker-1", "four")).toBe(false);
    boards.adopt([{ ...adopted, sighting: "b", serialPort: "/dev/ttyUSB7" }]);
    expect(isTaken("icebreaker-1", "four")).toBe(true);
  });
});
