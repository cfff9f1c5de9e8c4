import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface IcarusAnswer {
  readonly values: Int32Array;
  readonly cycles: number;
  /** Signed values of the watched signals, one per cycle; index 1 is the cycle after the last input byte. */
  readonly traces: ReadonlyMap<string, readonly number[]>;
}

interface Shape {
  readonly outputs: number;
  /** 2 where nothing is said. */
  readonly bytesPerOutput?: number;
  /** Signals inside the core to look at in every cycle until the answer's last byte. */
  readonly watch?: readonly string[];
  readonly stall?: boolean;
  /** Statements before the first row. */
  readonly extra?: string;
}

/** Sends rows through an emitted core in Icarus Verilog, with idle cycles before some bytes and a slow reader. */
export function runIcarus(core: string, rows: readonly Int8Array[], shape: Shape): IcarusAnswer[] {
  const folder = mkdtempSync(join(tmpdir(), "core-"));
  try {
    const inputs = rows[0]?.length ?? 0;
    const hex = rows.flatMap((row) => Array.from(row, (byte) => (byte & 255).toString(16)));
    writeFileSync(join(folder, "core.v"), core);
    writeFileSync(join(folder, "rows.hex"), hex.join("\n"));
    writeFileSync(join(folder, "bench.v"), bench(folder, rows.length, inputs, shape));
    const options = { cwd: folder, encoding: "utf8", timeout: 300_000 } as const;
    execFileSync("iverilog", ["-g2012", "-o", "sim", "bench.v", "core.v"], options);
    execFileSync("vvp", ["sim"], options);
    return readAnswers(readFileSync(join(folder, "out.txt"), "utf8"), shape);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readAnswers(
  text: string,
  { outputs, bytesPerOutput = 2, watch = [] }: Shape,
): IcarusAnswer[] {
  return text
    .split("row\n")
    .slice(1)
    .map((block) => {
      const lines = block.trim().split("\n");
      const taps = lines.filter((line) => line.startsWith("t ")).map((line) => line.split(" "));
      const bytes = lines
        .filter((line) => line.startsWith("b "))
        .map((line) => Number.parseInt(line.slice(2), 16));
      if (bytes.length !== bytesPerOutput * outputs) {
        throw new Error(`${bytes.length} bytes for ${outputs}`);
      }
      const answer = Buffer.from(bytes);
      const values = Int32Array.from({ length: outputs }, (_, index) =>
        answer.readIntLE(index * bytesPerOutput, bytesPerOutput),
      );
      const cycles = Number(lines.find((line) => line.startsWith("c "))?.slice(2));
      return {
        values,
        cycles,
        traces: new Map(
          watch.map((signal, index) => [
            signal,
            [Number.NaN, ...taps.map((tap) => Number(tap[index + 1]))],
          ]),
        ),
      };
    });
}

function bench(folder: string, rows: number, inputs: number, shape: Shape): string {
  const stall = shape.stall === true ? 1 : 0;
  const watch = shape.watch ?? [];
  const trace =
    watch.length === 0
      ? ";"
      : `$fwrite(file, "t${" %0d".repeat(watch.length)}\\n", ${watch.map((signal) => `$signed(dut.${signal})`).join(", ")});`;
  return `module bench;
  reg clk = 0, rst = 1, in_valid = 0, in_last = 0, out_ready = 0;
  reg [7:0] in_data = 0;
  wire in_ready, out_valid, out_last;
  wire [7:0] out_data;
  wire [31:0] cycles;
  reg [7:0] data [0:${Math.max(1, rows * inputs) - 1}];
  integer file, row, index, first, seed, accepted;
  reg tracing = 0;
  core dut (.clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data), .in_last(in_last),
    .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data), .out_last(out_last), .cycles(cycles));
  always #5 clk = ~clk;
  // Signals are driven and looked at on the falling edge, in the middle of a cycle.
  task send(input [7:0] value, input last);
    begin
      if (${stall}) while ($random(seed) & 1) @(negedge clk);
      in_valid = 1; in_data = value; in_last = last;
      #1;
      while (!in_ready) @(negedge clk);
      @(negedge clk);
      in_valid = 0; in_last = 0;
    end
  endtask
  task receive;
    reg done;
    begin
      done = 0;
      first = 1;
      while (!done) begin
        if (out_valid && first) begin
          $fwrite(file, "c %0d\\n", cycles);
          first = 0;
        end
        ${trace}
        out_ready = ${stall} ? $random(seed) & 1 : 1;
        if (out_valid && out_ready) begin
          $fwrite(file, "b %h\\n", out_data);
          done = out_last;
        end
        @(negedge clk);
      end
      out_ready = 0;
    end
  endtask
  task send_row(input integer which);
    for (index = 0; index < ${inputs}; index = index + 1)
      send(data[which * ${inputs} + index], index == ${inputs - 1});
  endtask
  initial begin
    seed = 7;
    file = $fopen("${folder}/out.txt", "w");
    $readmemh("${folder}/rows.hex", data);
    repeat (4) @(negedge clk);
    rst = 0;
    @(negedge clk);
${shape.extra ?? ""}
    for (row = 0; row < ${rows}; row = row + 1) begin
      send_row(row);
      $fwrite(file, "row\\n");
      receive;
    end
    $finish;
  end
endmodule
`;
}
