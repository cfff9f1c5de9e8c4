import { beforeAll, describe, expect, it } from "vitest";
import { compileNetlist } from "@/simulator/compile";
import { createUartLine, loadSimulation, type Simulation } from "@/simulator/run";
import { netlistOf } from "./support/tools";

const clocksPerBit = 16;

/** Receives a byte, adds one, waits 300 clock cycles and sends it back. */
const echo = `module echo(input clk, input rst, input rx, output tx);
  reg [1:0] sync = 3; always @(posedge clk) sync <= {sync[0], rx};
  reg [3:0] rx_bits = 0; reg [7:0] rx_wait = 0; reg [7:0] rx_byte = 0; reg got = 0;
  always @(posedge clk) begin
    got <= 0;
    if (rx_bits == 0) begin
      if (!sync[1]) begin rx_bits <= 10; rx_wait <= ${clocksPerBit / 2 - 1}; end
    end else if (rx_wait != 0) rx_wait <= rx_wait - 1;
    else begin
      rx_wait <= ${clocksPerBit - 1};
      rx_bits <= rx_bits - 1;
      if (rx_bits == 1) got <= sync[1];
      else rx_byte <= {sync[1], rx_byte[7:1]};
    end
  end
  reg [8:0] delay = 0; reg [7:0] answer = 0;
  reg [9:0] tx_shift = 10'h3ff; reg [3:0] tx_bits = 0; reg [7:0] tx_wait = 0;
  assign tx = tx_shift[0];
  always @(posedge clk) begin
    if (rst) delay <= 0;
    else if (got) begin delay <= 300; answer <= rx_byte + 1; end
    else if (delay != 0) delay <= delay - 1;
    if (delay == 1) begin tx_shift <= {1'b1, answer, 1'b0}; tx_bits <= 10; tx_wait <= ${clocksPerBit - 1}; end
    else if (tx_bits != 0) begin
      if (tx_wait != 0) tx_wait <= tx_wait - 1;
      else begin tx_wait <= ${clocksPerBit - 1}; tx_bits <= tx_bits - 1; tx_shift <= {1'b1, tx_shift[9:1]}; end
    end
  end
endmodule`;

describe("a serial line to a simulated design", () => {
  let wasm: Uint8Array;
  beforeAll(async () => {
    wasm = compileNetlist(await netlistOf({ "echo.v": echo }), { top: "echo" }).wasm;
  });

  /** The simulation, with the calls into it counted. */
  function counted(): { simulation: Simulation; calls: () => number } {
    const inner = loadSimulation(wasm);
    let calls = 0;
    const simulation: Simulation = {
      ...inner,
      step: (cycles) => {
        calls += 1;
        inner.step(cycles);
      },
      stepWhile: (name, limit) => {
        calls += 1;
        return inner.stepWhile(name, limit);
      },
    };
    return { simulation, calls: () => calls };
  }

  it("carries bytes both ways, also while it sends", () => {
    const { simulation } = counted();
    const line = createUartLine(simulation, { clocksPerBit });
    for (const byte of [0, 1, 0x55, 0xaa, 0xfe, 0xff]) {
      line.send(Uint8Array.of(byte));
      const answer = (byte + 1) & 255;
      expect([...line.receiveUntil(answer, 2000)]).toEqual([answer]);
    }
    line.send(Uint8Array.of(1));
    line.idle(200);
    line.send(Uint8Array.of(2));
    expect([...line.receiveUntil(3, 2000)]).toEqual([2, 3]);
  });

  it("runs through silence in one call", () => {
    const { simulation, calls } = counted();
    const line = createUartLine(simulation, { clocksPerBit });
    line.send(Uint8Array.of(7));
    const before = calls();
    line.receiveUntil(8, 10_000);
    expect(calls() - before).toBeLessThan(15);
  });

  it("gives up after the limit, and goes on afterwards", () => {
    const line = createUartLine(loadSimulation(wasm), { clocksPerBit });
    expect(() => line.receiveUntil(0, 5000)).toThrow(
      expect.objectContaining({ reason: "LINK_FAILED" }),
    );
    line.send(Uint8Array.of(9));
    expect([...line.receiveUntil(10, 2000)]).toEqual([10]);
  });
});
