import { describe, expect, it } from "vitest";
import { boardModelsOnUsb } from "./usb";

const idsOf = (vendorId: string, productId: string, product: string) =>
  boardModelsOnUsb({ vendorId, productId, product }).map(({ id }) => id);

describe("what a device on USB may be", () => {
  it.each([
    ["0403", "6010", "iCEBreaker V1.0e", ["icebreaker"]],
    ["0403", "6010", "Alhambra II v1.0A - B07-095", ["alhambra-ii"]],
    ["0403", "6015", "ULX3S FPGA 85K v3.0.8", ["ulx3s-85f"]],
    ["1d50", "6130", "TinyFPGA Bx", ["tinyfpga-bx"]],
  ])("%s:%s %s is one board", (vendorId, productId, product, ids) => {
    expect(idsOf(vendorId, productId, product)).toEqual(ids);
  });

  it("is several boards where they say the same of themselves", () => {
    const ids = idsOf("0403", "6010", "Dual RS232-HS");
    expect(ids).toEqual(expect.arrayContaining(["icebreaker", "icestick", "ice40-hx8k-evn"]));
    expect(ids).not.toContain("alhambra-ii");
  });

  it("is a board known by its chip alone only where no board has that text", () => {
    expect(idsOf("0403", "6010", "JTAG Debugger")).toContain("tang-nano-9k");
    expect(idsOf("0403", "6010", "iCEBreaker V1.0e")).not.toContain("tang-nano-9k");
  });

  it.each([
    ["1d6b", "0002", "xHCI Host Controller"],
    ["0403", "6015", "FT231X USB UART"],
  ])("%s:%s %s is no board", (vendorId, productId, product) => {
    expect(idsOf(vendorId, productId, product)).toEqual([]);
  });
});
