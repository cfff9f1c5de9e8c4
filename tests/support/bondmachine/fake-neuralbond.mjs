#!/usr/bin/env node
// A stand-in for BondMachine's `neuralbond` in tests: it writes a network of our neuron library as fragments, with the habits of
// the real tool as tests/fixtures/bondmachine records them. It leaves out nodes of a type without a neuron, and says nothing.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const args = process.argv.slice(2);
const valueAfter = (flag) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined);

function panic(text) {
  process.stderr.write(`panic: ${text}\n\ngoroutine 1 [running]:\nmain.main()\n`);
  process.exit(2);
}

function read(flag) {
  const path = valueAfter(flag);
  if (path === undefined || !existsSync(path)) panic(`open ${path}: no such file or directory`);
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return panic("unexpected end of JSON input");
  }
}

const types = {
  float32: { addop: "addf", multop: "multf", divop: "divf", prefix: "0f<32>" },
  float16: { addop: "addf16", multop: "multf16", divop: "divf16", prefix: "0f<16>" },
};

function typeOf(name) {
  if (types[name]) return types[name];
  const [, size, fraction] = /^fps(\d+)f(\d+)$/.exec(name) ?? panic("unknown data type");
  const suffix = `fps${size}f${fraction}`;
  return {
    addop: `add${suffix}`,
    multop: `mult${suffix}`,
    divop: `div${suffix}`,
    prefix: `0fp<${size}.${fraction}>`,
  };
}

const library = valueAfter("-neuron-lib-path") ?? panic("no neuron library");
const config = read("-config-file");
const { Nodes = [], Weights = [] } = read("-net-file");
const { addop, multop, divop, prefix } = typeOf(valueAfter("-data-type") ?? "float32");
const constant = (value) => `${prefix}${Math.fround(value).toFixed(6)}`;

const lines = [
  `%meta bmdef     global registersize:${valueAfter("-register-size") ?? 32}`,
  "%meta bmdef     global iomode:sync",
];
const fragments = [];

function link(name, ...ends) {
  lines.push(`%meta filinkdef ${name} type:fl`);
  for (const [fragment, type, index] of ends) {
    lines.push(`%meta filinkatt ${name} fi:${fragment}, type:${type}, index:${index}`);
  }
}

const nodeName = ({ Layer, Pos }) => `node_${Layer}_${Pos}`;

for (const node of Nodes) {
  const name = nodeName(node);
  const isEnd = ["input", "output"].includes(node.Type);
  if (!existsSync(join(library, `${isEnd ? "terminal" : node.Type}.nb`))) continue;
  fragments.push(name);
  if (isEnd) {
    lines.push(`%meta fidef ${name} fragment:terminal`);
    link(`${node.Type}_${node.Pos}`, [name, node.Type, 0], ["ext", node.Type, node.Pos]);
  } else {
    const inputs = Weights.filter(
      (weight) => weight.Layer === node.Layer && weight.PosCurrLayer === node.Pos,
    ).length;
    const known = {
      ...{ ...config.Params, inputs, pos: node.Pos, bias: constant(node.Bias) },
      ...{ addop, multop, divop, typeprefix: prefix },
    };
    const { params } = JSON.parse(readFileSync(join(library, `${node.Type}.nb`), "utf8"));
    const settings = params.map(
      (each) => `${each}:${known[each] ?? panic(`no parameter ${each}`)}`,
    );
    lines.push(`%meta fidef ${name} fragment:${node.Type}, ${settings.join(", ")}`);
  }
}
const taken = new Map();
for (const { Layer, PosCurrLayer, PosPrevLayer, Value } of Weights) {
  const name = `weightfi_${Layer - 1}_${PosPrevLayer}__${Layer}_${PosCurrLayer}`;
  const to = nodeName({ Layer, Pos: PosCurrLayer });
  const port = taken.get(to) ?? 0;
  taken.set(to, port + 1);
  fragments.push(name);
  lines.push(`%meta fidef ${name} fragment:weight, weight:${constant(Value)}, multop:${multop}`);
  link(
    `down${name}`,
    [name, "input", 0],
    [nodeName({ Layer: Layer - 1, Pos: PosPrevLayer }), "output", 0],
  );
  link(`up${name}`, [to, "input", port], [name, "output", 0]);
}
const groups = config.Collapsed ?? [];
const inGroup = new Set(groups.flat());
for (const group of [
  ...groups,
  ...fragments.filter((name) => !inGroup.has(name)).map((n) => [n]),
]) {
  lines.push(`%meta cpdef ${group.join("_")} fragcollapse:${group.join(":")}`);
}
try {
  writeFileSync(valueAfter("-save-basm") ?? "out.basm", `${lines.join("\n")}\n`);
  writeFileSync(valueAfter("-config-file"), JSON.stringify({ ...config, NeuronLibPath: library }));
} catch {
  // It does not say that it could not write.
}
