#!/usr/bin/env node
// A stand-in for `bondmachine` in tests: it reads what the stand-in of `basm` writes, with the habits of the real tool as
// tests/fixtures/bondmachine records them. Its Verilog is ours: processors that do one instruction in each cycle, under the
// file names, module names, ports and handshakes of the real one, and with what has to be tidied away there.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { floatUnits } from "./float-units.mjs";

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
  if (Program.some(([operation]) => /^(mult|add|div)f16$/.test(operation))) {
    panic("the stand-in computes no floats of 16 bits");
  }
  const floats = Object.keys(floatUnits).filter((unit) =>
    Program.some(([operation]) => operation === unit),
  );
  const operands = factorsOf(Program);
  const fraction = Number(
    /^multfps\d+f(\d+)$/.exec(Program.find(([name]) => /^mult/.test(name))?.[0] ?? "")?.[1] ?? 0,
  );
  const steps = Program.map(
    (instruction, place) =>
      `        ${place}: begin ${step(instruction, { Rsize, fraction, at })} end`,
  );
  return `module p${at}(\n  ${ports(domain, true)}\n);
  reg [${Rsize - 1}:0] ${registersOf(Program).join(", ")};
  reg less;
  reg [11:0] pc;
  reg [1:0] waited;
  // As in the real arithmetic: a state that no reset reaches. A row is only right when it begins at 0.
  reg [1:0] addfps_${at}_state;
  wire signed [${2 * Rsize - 1}:0] product = $signed(${operands[0]}) * $signed(${operands[1]});
${floats.map((unit) => unitInstance(unit, at)).join("")}  always @(posedge clock_signal, posedge reset_signal) begin
    if (reset_signal) begin
      pc <= #1 0;
      waited <= #1 0;
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
${floats.map((unit) => floatUnits[unit](`p${at}_${unit}`)).join("")}`;
}

const registersOf = (program) => [
  ...new Set(["r0", ...program.flat().filter((word) => /^r\d+$/.test(String(word)))]),
];

/** Of the products of fixed point, which are all of the same registers. */
function factorsOf(program) {
  const products = program.filter(([operation]) => operation.startsWith("multfps"));
  const [[, to, from] = [null, "r0", "r0"]] = products;
  return products.every((each) => each[1] === to && each[2] === from)
    ? [to, from]
    : panic("the stand-in multiplies two registers alone");
}

const unitInstance = (unit, at) => `\
  reg [1:0] ${unit}_${at}_state;
  reg [31:0] ${unit}_a, ${unit}_b;
  wire ${unit}_done;
  wire [31:0] ${unit}_z;
  p${at}_${unit} ${unit}_unit(
    .clk(clock_signal), .start(${unit}_${at}_state == 2'd1), .a(${unit}_a), .b(${unit}_b), .done(${unit}_done), .z(${unit}_z)
  );
`;

const next = "pc <= #1 pc + 1;";

/** What instructions take besides the cycle that all of them take: by these, float machines take the recorded cycles. */
const cycles = { read: 1, branch: 2, float: 3 };

/** Does something after so many cycles. */
const later = (what, count) =>
  `if (waited != 2'd${count}) waited <= #1 waited + 1; else begin waited <= #1 0; ${what} end`;

function step([operation, to, from], { Rsize, fraction, at }) {
  const isPort = (name, letter) => new RegExp(`^${letter}\\d+$`).test(String(name));
  if (operation === "mov" && isPort(from, "i")) {
    const take = `begin ${to} <= #1 ${from}; ${from}_received <= #1 1'b1; ${next} end`;
    return `if (${from}_valid & ~${from}_received) ${later(take, cycles.read)}`;
  }
  if (operation === "mov" && isPort(to, "o")) {
    const give = `begin ${to} <= #1 ${from}; ${to}_valid <= #1 1'b1; end`;
    return `if (~${to}_valid & ~${to}_received) ${give} else if (${to}_valid & ${to}_received) begin ${to}_valid <= #1 1'b0; ${next} end`;
  }
  if (operation === "mov" || operation === "cpy")
    return `${to} <= #1 ${typeof from === "number" ? `${Rsize}'d${from}` : from}; ${next}`;
  if (operation === "clr") return `${to} <= #1 0; ${next}`;
  if (operation === "j") return `pc <= #1 ${to};`;
  if (operation === "jcmpl") return `pc <= #1 less ? ${to} : pc + 1;`;
  if (operation === "dec") return `${to} <= #1 ${to} - 1; ${next}`;
  if (operation === "jz") return later(`pc <= #1 ${to} == 0 ? ${from} : pc + 1;`, cycles.branch);
  if (operation === "jgt0f") return later(`pc <= #1 ${to}[31] ? pc + 1 : ${from};`, cycles.branch);
  if (operation in floatUnits) return floatStep(operation, { to, from, at });
  if (operation === "cmprlt") return `less <= #1 ${to} < ${from}; ${next}`;
  if (operation.startsWith("mult"))
    return `${to} <= #1 product[${Rsize + fraction - 1}:${fraction}]; ${next}`;
  const state = `addfps_${at}_state`;
  return `if (${state} == 2'd0) ${state} <= #1 2'd1; else begin ${to} <= #1 ${to} + ${from}; ${state} <= #1 2'd0; ${next} end`;
}

/** Hands the operands to a unit, waits for it, and takes its result. */
function floatStep(unit, { to, from, at }) {
  const state = `${unit}_${at}_state`;
  return `case (${state})
            2'd0: begin ${unit}_a <= #1 ${to}; ${unit}_b <= #1 ${from}; ${state} <= #1 2'd1; end
            2'd1: ${state} <= #1 2'd2;
            default: if (${unit}_done | waited != 0) ${later(`begin ${to} <= #1 ${unit}_z; ${state} <= #1 2'd0; ${next} end`, cycles.float)}
          endcase`;
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
