#!/usr/bin/env node
// A stand-in for `bondmachine` in tests: it reads what the stand-in of `basm` writes, with the habits of the real tool as
// tests/fixtures/bondmachine records them. Its Verilog is ours: processors that do one instruction in each cycle, under the
// file names, module names, ports and handshakes of the real one, and with what has to be tidied away there.
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const args = process.argv.slice(2);
const valueAfter = (flag) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined);
const has = (flag) => args.includes(flag);

const file = valueAfter("-bondmachine-file");
function main(path) {
  const text = existsSync(path) ? readFileSync(path, "utf8") : null;
  const machine = text === null ? { Rsize: 8 } : parse(text);
  if (has("-create-verilog")) createVerilog(machine);
  if (has("-list-inputs")) list(machine.Inputs ?? 0, "i");
  if (has("-list-outputs")) list(machine.Outputs ?? 0, "o");
  if (has("-enum-processors")) process.stdout.write(`${machine.Processors?.length ?? 0}\n`);
  if (has("-list-bonds")) listBonds(machine);
  // It always writes the file again, an empty machine where there was none.
  writeFileSync(path, JSON.stringify({ ...emptyMachine, ...machine }));
}

const emptyMachine = {
  Rsize: 0,
  Domains: [],
  Processors: null,
  Inputs: 0,
  Outputs: 0,
  Internal_inputs: null,
  Internal_outputs: null,
  Links: null,
  Shared_objects: [],
  Shared_links: [],
};

function panic(text) {
  process.stderr.write(`panic: ${text}\n\ngoroutine 1 [running]:\nmain.main()\n`);
  process.exit(2);
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return panic("unexpected end of JSON input");
  }
}

function list(count, letter) {
  for (let at = 0; at < count; at++) process.stdout.write(`${at} ${letter}${at}\n`);
}

const nameOf = ({ Map_to, Res_id, Ext_id }) =>
  [`i${Res_id}`, `o${Res_id}`, `p${Res_id}i${Ext_id}`, `p${Res_id}o${Ext_id}`][Map_to];

function listBonds({ Links, Internal_inputs, Internal_outputs }) {
  for (const [at, from] of (Links ?? []).entries()) {
    if (from < 0) continue;
    process.stdout.write(
      `${at} ${nameOf(Internal_outputs[from])},${nameOf(Internal_inputs[at])}\n`,
    );
  }
}

function createVerilog(machine) {
  for (const flag of ["-verilog-mapfile", "-bmrequirements-file"]) {
    const path = valueAfter(flag);
    if (path !== undefined && !existsSync(path)) panic(`open ${path}: no such file or directory`);
  }
  const { Domains = [], Processors } = machine;
  // An empty machine makes no file, and says nothing.
  if (!Processors?.length) return;
  for (const [at, domain] of Domains.entries()) {
    write(`arch_${at}.v`, arch(domain, at));
    write(`p${at}.v`, processor(domain, at));
    write(
      `p${at}rom.v`,
      `module p${at}rom(input [7:0] rom_bus, output rom_value);\n  assign rom_value = ^rom_bus;\nendmodule\n`,
    );
  }
  write("bondmachine.v", top(machine));
  if (valueAfter("-verilog-flavor") === "zedboard") {
    write("bondmachine_main.v", "module bondmachine_main(input clk, input btnC);\nendmodule\n");
  }
}

/** Files that are there already are kept as they are. */
function write(name, text) {
  if (!existsSync(name)) writeFileSync(name, text);
}

const range = (count) => Array.from({ length: count }, (_, at) => at);

const portNames = ({ N, M }) => [
  ...range(N).flatMap((at) => [`i${at}`, `i${at}_valid`, `i${at}_received`]),
  ...range(M).flatMap((at) => [`o${at}`, `o${at}_valid`, `o${at}_received`]),
];

function ports({ N, M, Rsize }, isRegister) {
  const reg = isRegister ? "reg " : "";
  const word = `[${Rsize - 1}:0]`;
  return [
    "input clock_signal",
    "input reset_signal",
    ...range(N).flatMap((at) => [
      `input ${word} i${at}`,
      `input i${at}_valid`,
      `output ${reg}i${at}_received`,
    ]),
    ...range(M).flatMap((at) => [
      `output ${reg}${word} o${at}`,
      `output ${reg}o${at}_valid`,
      `input o${at}_received`,
    ]),
  ].join(",\n  ");
}

function arch(domain, at) {
  const wires = portNames(domain).map((name) => `.${name}(${name})`);
  return `module a${at}(\n  ${ports(domain, false)}\n);
  p${at} p${at}_instance(.clock_signal(clock_signal), .reset_signal(reset_signal), ${wires.join(", ")});
endmodule
`;
}

function processor(domain, at) {
  const { Program, Rsize, N, M } = domain;
  if (Program.flat().some((word) => /^(mult|add)f(16)?$/.test(String(word)))) {
    panic("the stand-in computes no floats");
  }
  const fraction = Number(
    /^multfps\d+f(\d+)$/.exec(Program.find(([name]) => /^mult/.test(name))?.[0] ?? "")?.[1] ?? 0,
  );
  const steps = Program.map(
    (instruction, place) =>
      `        ${place}: begin ${step(instruction, { Rsize, fraction, at })} end`,
  );
  return `module p${at}(\n  ${ports(domain, true)}\n);
  reg [${Rsize - 1}:0] r0, r1, r2;
  reg less;
  reg [7:0] pc;
  // As in the real arithmetic: a state that no reset reaches. A row is only right when it begins at 0.
  reg [1:0] addfps_${at}_state;
  wire signed [${2 * Rsize - 1}:0] product = $signed(r1) * $signed(r2);
  always @(posedge clock_signal, posedge reset_signal) begin
    if (reset_signal) begin
      pc <= #1 0;
${range(N)
  .map((port) => `      i${port}_received <= #1 1'b0;\n`)
  .join("")}\
${range(M)
  .map((port) => `      o${port}_valid <= #1 1'b0;\n`)
  .join("")}\
    end else begin
${range(N)
  .map((port) => `      if (!i${port}_valid) i${port}_received <= #1 1'b0;\n`)
  .join("")}\
      $display("processor ${at} at %d", pc);
      case (pc)
${steps.join("\n")}
        default: pc <= #1 0;
      endcase
    end
  end
endmodule
`;
}

const next = "pc <= #1 pc + 1;";

function step([operation, to, from], { Rsize, fraction, at }) {
  const isPort = (name, letter) => new RegExp(`^${letter}\\d+$`).test(String(name));
  if (operation === "mov" && isPort(from, "i")) {
    return `if (${from}_valid & ~${from}_received) begin ${to} <= #1 ${from}; ${from}_received <= #1 1'b1; ${next} end`;
  }
  if (operation === "mov" && isPort(to, "o")) {
    const give = `begin ${to} <= #1 ${from}; ${to}_valid <= #1 1'b1; end`;
    return `if (~${to}_valid & ~${to}_received) ${give} else if (${to}_valid & ${to}_received) begin ${to}_valid <= #1 1'b0; ${next} end`;
  }
  if (operation === "mov")
    return `${to} <= #1 ${typeof from === "number" ? `${Rsize}'d${from}` : from}; ${next}`;
  if (operation === "clr") return `${to} <= #1 0; ${next}`;
  if (operation === "j") return `pc <= #1 ${to};`;
  if (operation === "jcmpl") return `pc <= #1 less ? ${to} : pc + 1;`;
  if (operation === "cmprlt") return `less <= #1 ${to} < ${from}; ${next}`;
  if (operation.startsWith("mult"))
    return `${to} <= #1 product[${Rsize + fraction - 1}:${fraction}]; ${next}`;
  const state = `addfps_${at}_state`;
  return `if (${state} == 2'd0) ${state} <= #1 2'd1; else begin ${to} <= #1 ${to} + ${from}; ${state} <= #1 2'd0; ${next} end`;
}

/** Every source may feed several sinks: it counts as received when all of them have taken it. */
function top({ Rsize, Domains, Inputs, Outputs, Links, Internal_inputs, Internal_outputs }) {
  const word = `[${Rsize - 1}:0]`;
  const outer = [
    "input clk",
    "input reset",
    ...range(Inputs).flatMap((at) => [
      `input ${word} i${at}`,
      `input i${at}_valid`,
      `output i${at}_received`,
    ]),
    ...range(Outputs).flatMap((at) => [
      `output ${word} o${at}`,
      `output o${at}_valid`,
      `input o${at}_received`,
    ]),
  ];
  const inner = Domains.flatMap(({ N, M }, at) => [
    ...range(N).map((port) => `p${at}i${port}`),
    ...range(M).map((port) => `p${at}o${port}`),
  ]);
  const lines = inner.map(
    (name) => `  wire ${word} ${name};\n  wire ${name}_valid, ${name}_received;`,
  );
  for (const [at, source] of Internal_outputs.entries()) {
    const from = nameOf(source);
    const sinks = Internal_inputs.filter((_, sink) => Links[sink] === at).map(nameOf);
    for (const sink of sinks)
      lines.push(`  assign ${sink} = ${from};\n  assign ${sink}_valid = ${from}_valid;`);
    const taken = sinks.map((sink) => `${sink}_received`).join(" & ");
    lines.push(`  assign ${from}_received = ${taken || "1'b0"};`);
  }
  for (const [at, domain] of Domains.entries()) {
    const wires = portNames(domain).map((name) => `.${name}(p${at}${name})`);
    lines.push(
      `  a${at} a${at}_instance(.clock_signal(clk), .reset_signal(reset), ${wires.join(", ")});`,
    );
  }
  return `module bondmachine(\n  ${outer.join(",\n  ")}\n);\n${lines.join("\n")}\nendmodule\n`;
}

if (file) main(file);
