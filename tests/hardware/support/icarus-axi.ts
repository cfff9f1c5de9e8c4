import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** What a bus master does, in order. Gaps are clock cycles before it says ready, or before it offers. */
export type BusEvent =
  | { readonly read: number; readonly gap?: number }
  | { readonly write: number; readonly value: number; readonly dataFirst?: boolean }
  | { readonly send: number; readonly last: boolean; readonly gap?: number }
  /** Waits for a byte of the answer; nothing within `within` cycles is an answer too. */
  | { readonly receive: true; readonly gap?: number; readonly within?: number }
  | { readonly idle: number }
  /** Holds `aresetn` low. */
  | { readonly reset: number };

/** What came of the events that have answers, in order: `read 1 0000002a`, `wrote 1`, `byte 0 2a`, `nothing`. */
export type BusAnswer = string;

export interface BusRun {
  readonly answers: readonly BusAnswer[];
  /** How often a channel broke a rule: its VALID fell without READY, or what it offered changed. */
  readonly violations: number;
}

const patience = 100_000;

function wordsOf(event: BusEvent): readonly [number, number, number] {
  if ("read" in event) return [1, event.read, event.gap ?? 0];
  if ("write" in event) return [event.dataFirst ? 3 : 2, event.write, event.value];
  if ("send" in event) return [4, event.send | (event.last ? 256 : 0), event.gap ?? 0];
  if ("receive" in event) return [5, event.within ?? patience, event.gap ?? 0];
  if ("idle" in event) return [6, event.idle, 0];
  return [7, event.reset, 0];
}

/** Plays events to `boardwalk_axi` in Icarus Verilog. VALID is waited for with READY low, so none may wait for the other. */
export async function runIcarusBus(
  sources: readonly string[],
  events: readonly BusEvent[],
): Promise<BusRun> {
  const folder = await mkdtemp(join(tmpdir(), "bw-axi-"));
  try {
    const words = [...events.map(wordsOf), [0, 0, 0] as const];
    const hex = words.map((word) =>
      word.map((part) => part.toString(16).padStart(8, "0")).join(""),
    );
    await writeFile(join(folder, "script.hex"), hex.join("\n"));
    await writeFile(join(folder, "bench.v"), bench(words.length));
    const files = await Promise.all(
      sources.map(async (text, index) => {
        const file = join(folder, `source${index}.v`);
        await writeFile(file, text);
        return file;
      }),
    );
    const program = join(folder, "bench.vvp");
    await run("iverilog", ["-g2005", "-o", program, join(folder, "bench.v"), ...files]);
    await run("vvp", ["-n", program], { cwd: folder });
    const lines = (await readFile(join(folder, "answers.txt"), "utf8")).trim().split("\n");
    const violations = Number(lines.pop()?.replace("violations ", ""));
    return { answers: lines, violations };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const channel = (name: string, payload: string) => `\
  reg was_${name} = 0;
  reg [63:0] held_${name} = 0;
  always @(posedge clk) begin
    if (resetn && was_${name} && (!${name}valid || held_${name} !== {${payload}})) violations = violations + 1;
    was_${name} <= resetn && ${name}valid && !${name}ready;
    held_${name} <= {${payload}};
  end
`;

const bench = (words: number) => `\
\`timescale 1ns/1ns
module bench;
  reg clk = 0, resetn = 0;
  always #5 clk = !clk;
  reg [11:0] awaddr = 0, araddr = 0;
  reg awvalid = 0, wvalid = 0, bready = 0, arvalid = 0, rready = 0;
  reg [31:0] wdata = 0;
  wire awready, wready, bvalid, arready, rvalid;
  wire [1:0] bresp, rresp;
  wire [31:0] rdata;
  reg [7:0] in_data = 0;
  reg in_last = 0, in_valid = 0, out_ready = 0;
  wire in_ready, out_last, out_valid;
  wire [7:0] out_data;
  boardwalk_axi wrapper (
    .aclk(clk), .aresetn(resetn),
    .s_axi_awaddr(awaddr), .s_axi_awprot(3'b0), .s_axi_awvalid(awvalid), .s_axi_awready(awready),
    .s_axi_wdata(wdata), .s_axi_wstrb(4'hf), .s_axi_wvalid(wvalid), .s_axi_wready(wready),
    .s_axi_bresp(bresp), .s_axi_bvalid(bvalid), .s_axi_bready(bready),
    .s_axi_araddr(araddr), .s_axi_arprot(3'b0), .s_axi_arvalid(arvalid), .s_axi_arready(arready),
    .s_axi_rdata(rdata), .s_axi_rresp(rresp), .s_axi_rvalid(rvalid), .s_axi_rready(rready),
    .s_axis_tdata(in_data), .s_axis_tlast(in_last), .s_axis_tvalid(in_valid), .s_axis_tready(in_ready),
    .m_axis_tdata(out_data), .m_axis_tlast(out_last), .m_axis_tvalid(out_valid), .m_axis_tready(out_ready)
  );
  integer violations = 0;
${channel("b", "bresp")}\
${channel("r", "{rresp, rdata}")}\
${channel("out_", "{out_last, out_data}")}\
  reg [95:0] script [0:${words - 1}];
  integer at, log, left;
  reg [31:0] op, first, second;
  // Everything is driven between edges, so that an edge sees it settled.
  task offer_address; begin awvalid = 1; @(posedge clk); while (!awready) @(posedge clk); @(negedge clk); awvalid = 0; end endtask
  task offer_data; begin wvalid = 1; @(posedge clk); while (!wready) @(posedge clk); @(negedge clk); wvalid = 0; end endtask
  initial begin
    $readmemh("script.hex", script);
    log = $fopen("answers.txt", "w");
    repeat (20) @(negedge clk);
    resetn = 1;
    repeat (40) @(negedge clk);
    for (at = 0; script[at][95:64] != 0; at = at + 1) begin
      {op, first, second} = script[at];
      @(negedge clk);
      case (op)
        1: begin
          araddr = first; arvalid = 1;
          @(posedge clk); while (!arready) @(posedge clk);
          @(negedge clk); arvalid = 0;
          while (!rvalid) @(negedge clk);
          repeat (second) @(negedge clk);
          rready = 1; $fwrite(log, "read %0d %h\\n", rresp == 0, rdata);
          @(negedge clk); rready = 0;
        end
        2, 3: begin
          awaddr = first; wdata = second;
          if (op == 2) begin offer_address; repeat (3) @(negedge clk); offer_data; end
          else begin offer_data; repeat (3) @(negedge clk); offer_address; end
          while (!bvalid) @(negedge clk);
          repeat (2) @(negedge clk);
          bready = 1; $fwrite(log, "wrote %0d\\n", bresp == 0);
          @(negedge clk); bready = 0;
        end
        4: begin
          repeat (second) @(negedge clk);
          in_data = first[7:0]; in_last = first[8]; in_valid = 1;
          @(posedge clk); while (!in_ready) @(posedge clk);
          @(negedge clk); in_valid = 0;
        end
        5: begin
          left = first;
          while (!out_valid && left > 0) begin left = left - 1; @(negedge clk); end
          if (!out_valid) $fwrite(log, "nothing\\n");
          else begin
            repeat (second) @(negedge clk);
            out_ready = 1; $fwrite(log, "byte %0d %h\\n", out_last, out_data);
            @(negedge clk); out_ready = 0;
          end
        end
        6: repeat (first) @(negedge clk);
        default: begin resetn = 0; repeat (first) @(negedge clk); resetn = 1; repeat (40) @(negedge clk); end
      endcase
    end
    $fwrite(log, "violations %0d\\n", violations);
    $fclose(log);
    $finish;
  end
endmodule
`;
