import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** What a test does to the line of a shell, in order. */
export type LineEvent =
  | { readonly send: Uint8Array }
  /** A byte whose stop bit is missing. */
  | { readonly broken: number }
  /** Silence, in bit times. */
  | { readonly pauseBits: number }
  /** A pulse to low, shorter than half a bit. */
  | { readonly glitch: true };

export interface LineTrial {
  /** Verilog with the modules `shell`, `core` and `identity`; the divider of the line is the bench's. */
  readonly sources: readonly string[];
  readonly clocksPerBit: number;
  readonly idleBits: number;
  readonly events: readonly LineEvent[];
  /** How long nothing may come before the trial ends, in bit times. */
  readonly quietBits?: number;
}

const opcode = { send: 0, broken: 1, pause: 2, glitch: 3, end: 15 } as const;

/** Runs a shell in Icarus Verilog, bit by bit on its serial line, and gives every byte that it sent. */
export async function runIcarusLine(trial: LineTrial): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), "bw-line-"));
  try {
    const words = [...trial.events.flatMap(toWords), [opcode.end, 0] as const];
    const script = words.map(
      ([op, value]) => op.toString(16) + value.toString(16).padStart(7, "0"),
    );
    await writeFile(join(folder, "script.hex"), script.join("\n"));
    await writeFile(join(folder, "bench.v"), bench(trial, script.length));
    const files = trial.sources.map((_, i) => join(folder, `source${i}.v`));
    await Promise.all(trial.sources.map((text, i) => writeFile(files[i]!, text)));
    const program = join(folder, "bench.vvp");
    await run("iverilog", ["-g2005", "-Wall", "-o", program, join(folder, "bench.v"), ...files]);
    await run("vvp", ["-n", program], { cwd: folder });
    const text = await readFile(join(folder, "sent.hex"), "utf8");
    return Uint8Array.from(text.split("\n").filter(Boolean), (hex) => Number.parseInt(hex, 16));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function toWords(event: LineEvent): (readonly [number, number])[] {
  if ("send" in event) return [...event.send].map((byte) => [opcode.send, byte] as const);
  if ("broken" in event) return [[opcode.broken, event.broken]];
  if ("glitch" in event) return [[opcode.glitch, 0]];
  return [[opcode.pause, event.pauseBits]];
}

function bench({ clocksPerBit, idleBits, quietBits = 300 }: LineTrial, words: number): string {
  return `\
\`timescale 1ns/1ns
module baud_divider (output [7:0] last_clock);
  assign last_clock = ${clocksPerBit - 1};
endmodule

module bench;
  reg clk = 0, rst = 1, rx = 1;
  wire tx;
  always #5 clk = !clk;
  shell #(.DIVIDER_BITS(8), .IDLE_BITS(${idleBits})) shell (
    .clk(clk), .rst(rst), .rx(rx), .tx(tx)
  );
  reg [31:0] script [0:${words - 1}];
  integer at, bit_index, sent, quiet, i;
  reg [7:0] got;
  task wait_bits(input integer count);
    repeat (count * ${clocksPerBit}) @(posedge clk);
  endtask
  task send(input [7:0] value, input stop);
    begin
      rx = 0; wait_bits(1);
      for (bit_index = 0; bit_index < 8; bit_index = bit_index + 1) begin
        rx = value[bit_index]; wait_bits(1);
      end
      rx = stop; wait_bits(1);
      rx = 1;
    end
  endtask
  initial begin
    $readmemh("script.hex", script);
    repeat (${Math.max(40, clocksPerBit)}) @(posedge clk);
    rst <= 0;
    wait_bits(2);
    for (at = 0; script[at][31:28] != 15; at = at + 1) begin
      case (script[at][31:28])
        0: send(script[at][7:0], 1);
        1: begin send(script[at][7:0], 0); wait_bits(1); end
        2: wait_bits(script[at][27:0]);
        default: begin rx = 0; repeat (${Math.max(1, Math.floor(clocksPerBit / 4))}) @(posedge clk); rx = 1; wait_bits(2); end
      endcase
    end
    quiet = 0;
    while (quiet < ${quietBits}) begin
      wait_bits(1);
      quiet = receiving ? 0 : quiet + 1;
    end
    $fclose(sent);
    $finish;
  end
  // The bench's own receiver, apart from the design's.
  reg receiving = 0;
  initial begin
    sent = $fopen("sent.hex", "w");
    forever begin
      @(negedge tx);
      receiving = 1;
      repeat (${Math.floor(clocksPerBit / 2)}) @(posedge clk);
      for (i = 0; i < 8; i = i + 1) begin
        wait_bits(1); got[i] = tx;
      end
      wait_bits(1);
      if (tx !== 1'b1) $fwrite(sent, "xx\\n");
      else $fwrite(sent, "%h\\n", got);
      receiving = 0;
    end
  end
endmodule
`;
}
