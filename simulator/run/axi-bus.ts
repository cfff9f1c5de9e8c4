import { fail } from "@/lib/common/errors";
import type { Simulation } from "./simulation";

/** What an access of AXI4-Lite answers; `okay` is false for SLVERR and DECERR. */
export interface AxiAnswer {
  readonly value: number;
  readonly okay: boolean;
}

/** The far side of a simulated design's AXI4-Lite registers (`s_axi_*`) and AXI4-Streams of bytes (`s_axis_*`, `m_axis_*`). */
export interface AxiBus {
  read(address: number): AxiAnswer;
  write(address: number, value: number): AxiAnswer;
  /** Sends bytes, the last one marked. @throws {AppError} `LINK_FAILED` when one is not taken in time. */
  sendRow(row: Int8Array | Uint8Array, options?: { readonly isLast?: boolean }): void;
  /** Takes one byte of an answer. @throws {AppError} `LINK_FAILED` when none comes within `limit` cycles. */
  receiveByte(limit?: number): { readonly byte: number; readonly last: boolean };
  /**
   * Takes bytes up to the one marked as last. @throws {AppError} `LINK_FAILED` when none comes in time, or no end within
   * `mostBytes`.
   */
  receiveRow(mostBytes: number): Uint8Array;
  /** Lets time pass; nothing is offered, nothing taken. */
  idle(cycles: number): void;
}

const patience = 1_000_000;
const resetCycles = 16;

/** Connects a bus to a simulated design and powers it on: `aresetn` held low, then let go. */
export function createAxiBus(simulation: Simulation): AxiBus {
  const set = (values: Readonly<Record<string, number>>) => {
    for (const [name, value] of Object.entries(values)) simulation.set(name, value);
    simulation.eval();
  };
  /** Offers something until it is taken. */
  const offer = (channel: string, values: Readonly<Record<string, number>>, limit = patience) => {
    set({ ...values, [`${channel}valid`]: 1 });
    simulation.stepUntil(`${channel}ready`, limit);
    if (simulation.get(`${channel}ready`) === 0)
      throw fail("LINK_FAILED", `The design took nothing on ${channel} within ${limit} cycles.`);
    simulation.step();
    set({ [`${channel}valid`]: 0 });
  };
  /** Waits for something and takes it. */
  const accept = (channel: string, names: readonly string[], limit = patience): number[] => {
    set({ [`${channel}ready`]: 1 });
    simulation.stepUntil(`${channel}valid`, limit);
    if (simulation.get(`${channel}valid`) === 0) {
      set({ [`${channel}ready`]: 0 });
      throw fail("LINK_FAILED", `The design offered nothing on ${channel} within ${limit} cycles.`);
    }
    const values = names.map((name) => simulation.get(name));
    simulation.step();
    set({ [`${channel}ready`]: 0 });
    return values;
  };

  const receiveByte = (limit = patience) => {
    const [byte = 0, last] = accept("m_axis_t", ["m_axis_tdata", "m_axis_tlast"], limit);
    return { byte, last: last === 1 };
  };

  set({
    aresetn: 0,
    ...Object.fromEntries(["aw", "w", "ar"].map((channel) => [`s_axi_${channel}valid`, 0])),
    ...{ s_axi_bready: 0, s_axi_rready: 0, s_axi_awprot: 0, s_axi_arprot: 0 },
    ...{ s_axis_tvalid: 0, m_axis_tready: 0 },
  });
  simulation.step(resetCycles);
  set({ aresetn: 1 });
  simulation.step(2 * resetCycles);

  return {
    read(address) {
      offer("s_axi_ar", { s_axi_araddr: address });
      const [value = 0, response] = accept("s_axi_r", ["s_axi_rdata", "s_axi_rresp"]);
      return { value, okay: response === 0 };
    },
    write(address, value) {
      offer("s_axi_aw", { s_axi_awaddr: address });
      offer("s_axi_w", { s_axi_wdata: value, s_axi_wstrb: 15 });
      const [response] = accept("s_axi_b", ["s_axi_bresp"]);
      return { value, okay: response === 0 };
    },
    sendRow(row, { isLast = true } = {}) {
      row.forEach((byte, index) => {
        const last = isLast && index === row.length - 1 ? 1 : 0;
        offer("s_axis_t", { s_axis_tdata: byte & 0xff, s_axis_tlast: last });
      });
    },
    receiveByte,
    receiveRow(mostBytes) {
      const bytes: number[] = [];
      while (bytes.length < mostBytes) {
        const { byte, last } = receiveByte();
        bytes.push(byte);
        if (last) return Uint8Array.from(bytes);
      }
      throw fail("LINK_FAILED", `The design's answer does not end after ${mostBytes} bytes.`);
    },
    idle: (cycles) => simulation.step(cycles),
  };
}
