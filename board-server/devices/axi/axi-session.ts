import { axiMagic, axiVersion } from "@/boards/links/axi";
import type { Manifest } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { nowNs } from "../clock";
import type { CoreAnswer } from "../device";
import type { Link } from "../kept-link";
import { checkIdentity } from "../shell-protocol";
import type { Registers } from "./registers";

/** Cores answer within this many times their own cycles, or they hang. */
const slack = 4;
/** What the host and an interpreter may add: for a call, and for a byte that goes by register. */
const patience = { callMs: 1000, byteMs: 0.2 } as const;

/** The design that must be behind the registers. */
export interface AxiDesign {
  readonly core: NonNullable<Manifest["core"]>;
  readonly planDigest: string;
  readonly clockHz: number;
}

/** Whether the host still sees the board. @throws {AppError} `DEVICE_FAILED` */
export type Presence = () => Promise<void>;

/** A conversation with a design behind its AXI registers. */
export class AxiSession implements Link {
  private readonly registers: Registers;
  private readonly design: AxiDesign;
  private readonly isThere: Presence;

  constructor(registers: Registers, design: AxiDesign, isThere: Presence) {
    this.registers = registers;
    this.design = design;
    this.isThere = isThere;
  }

  /** @throws {AppError} `DEVICE_MISMATCH` when it is not the design of the plan, `LINK_FAILED`, `DEVICE_FAILED` */
  async identify(): Promise<void> {
    const { core, planDigest } = this.design;
    await this.isThere();
    const { magic, version, identity, ...sizes } = await this.registers.identify(patience.callMs);
    if (magic !== axiMagic || version !== axiVersion) {
      throw fail(
        "DEVICE_MISMATCH",
        `The registers are none of Boardwalk's: they begin with 0x${magic.toString(16)}, version ${version}.`,
        {
          hint: "Compare the registers' address with the one in Vivado's address editor, and load the artifact again.",
        },
      );
    }
    const payload = new DataView(new ArrayBuffer(4 * identity.length));
    for (const [word, value] of identity.entries()) payload.setUint32(4 * word, value, true);
    checkIdentity(new Uint8Array(payload.buffer), planDigest, core);
    const isSame = sizes.input_bytes === core.inputBytes && sizes.output_bytes === core.outputBytes;
    if (!isSame) throw fail("DEVICE_MISMATCH", "The board's core has rows of other sizes.");
  }

  /** Puts the core into its first state. @throws {AppError} `LINK_FAILED` */
  reset(): Promise<void> {
    return this.registers.reset(patience.callMs);
  }

  /** Runs rows, one after the other. A core that hangs is reset. @throws {AppError} `LINK_FAILED` */
  async run(rows: Uint8Array, count: number): Promise<CoreAnswer> {
    const start = nowNs();
    try {
      const answer = await this.registers.run(rows, this.design.core, this.limitMs(count));
      return { ...answer, computeNs: nowNs() - start };
    } catch (error) {
      await this.reset().catch(() => {});
      throw error;
    }
  }

  close(): Promise<void> {
    return this.registers.close();
  }

  private limitMs(count: number): number {
    const { core, clockHz } = this.design;
    const coreMs = (slack * core.latencyCycles * 1000) / clockHz;
    const bytesMs = (core.inputBytes + core.outputBytes) * patience.byteMs;
    return Math.ceil(patience.callMs + count * (coreMs + bytesMs));
  }
}
