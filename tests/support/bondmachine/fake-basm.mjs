#!/usr/bin/env node
// A stand-in for BondMachine's `basm` in tests: it assembles what our generator writes, with the habits of the real tool as
// tests/fixtures/bondmachine records them. It ends with status 0 whatever happens, and tells of a failure by `[Alert]`.
import { readFileSync, writeFileSync } from "node:fs";
import { expandTemplate } from "./fragment-template.mjs";

const flags = { "-dump-requirements": "requirements", "-o": "output" };
const options = { files: [] };
const args = process.argv.slice(2);
for (let at = 0; at < args.length; at++) {
  if (flags[args[at]]) options[flags[args[at]]] = args[++at];
  else if (!args[at].startsWith("-")) options.files.push(args[at]);
}

function alert(text) {
  throw Object.assign(new Error(text), { alert: text });
}

function main() {
  // Without an input the real tool says nothing and writes nothing.
  if (options.files.length === 0) return;
  const machine = options.files.reduce(assemble, {
    size: 0,
    sections: new Map(),
    processors: new Map(),
    links: new Map(),
    library: new Map(),
    fragments: new Map(),
    fragmentLinks: new Map(),
    groups: new Map(),
  });
  fuse(machine);
  if (machine.size === 0) alert("register size not defined");
  const text = JSON.stringify(machineOf(machine));
  try {
    if (options.requirements) writeFileSync(options.requirements, "{}\n");
    if (options.output) writeFileSync(options.output, text);
  } catch {
    // Nor does it say that it could not write.
  }
}

function assemble(machine, file) {
  let text;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    alert(`Error while parsing file: open ${file}: no such file or directory`);
  }
  let section = null;
  for (const line of text.split("\n").map((each) => each.trim())) {
    const [word, ...rest] = line.split(/\s+/);
    if (line === "") continue;
    if (word === "%section") machine.sections.set(rest[0], (section = []));
    else if (word === "%fragment") {
      const [name, ...settings] = rest;
      section = [];
      machine.library.set(name, { ...Object.fromEntries(settings.map(settingOf)), lines: section });
    } else if (word === "%endsection" || word === "%endfragment") section = null;
    else if (section) section.push(line);
    else if (word === "%meta") readMeta(machine, rest);
  }
  return machine;
}

/** `name:value`, of which the value may have colons of its own. */
const settingOf = (text) => {
  const at = text.indexOf(":");
  return [text.slice(0, at), text.slice(at + 1)];
};

function readMeta(machine, [kind, name, ...rest]) {
  const settings = Object.fromEntries(rest.map((each) => each.replace(",", "").split(":")));
  if (kind === "bmdef") machine.size = Number(settings.registersize ?? machine.size);
  const group = rest.find((each) => each.startsWith("fragcollapse:"));
  if (kind === "cpdef" && group) machine.groups.set(name, group.split(":").slice(1));
  else if (kind === "cpdef") machine.processors.set(name, settings.romcode);
  if (kind === "fidef") machine.fragments.set(name, settings);
  if (kind === "filinkatt") {
    if (!machine.fragmentLinks.has(name)) machine.fragmentLinks.set(name, []);
    machine.fragmentLinks.get(name).push({ ...settings, index: Number(settings.index) });
  }
  if (kind !== "ioatt") return;
  if (!machine.links.has(name)) machine.links.set(name, []);
  machine.links.get(name).push({ ...settings, index: Number(settings.index) });
}

/** Makes programs and links of fragments, of which several may become one processor. */
function fuse({ library, fragments, fragmentLinks, groups, sections, processors, links }) {
  const cpOf = new Map([...groups].flatMap(([cp, names]) => names.map((name) => [name, cp])));
  const linksInto = new Map();
  for (const [link, ends] of fragmentLinks) {
    const to = ends.find(({ fi, type }) => fi !== "ext" && type === "input");
    const from = ends.find((end) => end !== to);
    if (to) linksInto.set(`${to.fi} ${to.index}`, { link, from });
  }
  const ports = new Map();
  for (const [cp, names] of groups) {
    const parts = names.map((name) => {
      const { fragment, ...params } = fragments.get(name) ?? {};
      if (!library.has(fragment)) panic(`no fragment ${fragment}`);
      return { name, ...partOf(library.get(fragment), params) };
    });
    const free = 1 + Math.max(...parts.flatMap(({ lines }) => registersIn(lines)));
    let taken = 0;
    const kept = new Map(names.slice(0, -1).map((name, at) => [name, `r${free + at}`]));
    const program = parts.flatMap(({ name, resin, resout, lines }, at) => [
      ...resin.map((register, index) => {
        const { link, from } = linksInto.get(`${name} ${index}`) ?? {};
        if (kept.has(from?.fi)) return `mov ${register}, ${kept.get(from.fi)}`;
        ports.set(link, { cp, type: "input", index: taken });
        return `mov ${register}, i${taken++}`;
      }),
      ...lines.map((line) => ownLabels(line, at)),
      kept.has(name) ? `mov ${kept.get(name)}, ${resout}` : `mov o0, ${resout}`,
    ]);
    sections.set(cp, ["entry _start", "_start:", ...program, "j _start"]);
    processors.set(cp, cp);
  }
  for (const [link, ends] of fragmentLinks) {
    const mapped = ends.flatMap(({ fi, type, index }) => {
      if (fi === "ext") return [{ cp: "bm", type, index }];
      if (type === "input") return ports.get(link) ?? [];
      return cpOf.has(fi) ? [{ cp: cpOf.get(fi), type, index }] : [];
    });
    // What two fragments of one processor share has no port, and one end is no link.
    links.set(link, mapped);
  }
}

function panic(text) {
  process.stderr.write(`panic: ${text}\n\ngoroutine 1 [running]:\n`);
  process.exit(2);
}

/** A fragment with its parameters: the registers that it reads, the one that it leaves its result in, and its lines. */
function partOf({ lines, template, resin = "", resout }, params) {
  const text = lines.join("\n");
  const own = (template ? expandTemplate(text, params) : text)
    .split("\n")
    .map((line) => line.trim());
  const literal = own.find((line) => line.startsWith("%meta literal resin "));
  return {
    resin: (literal?.split(" ")[3] ?? resin).split(":").filter((name) => name !== ""),
    resout,
    lines: own.filter((line) => line !== "" && !line.startsWith("%meta")),
  };
}

const registersIn = (lines) => [
  0,
  ...lines.flatMap((line) => [...line.matchAll(/\br(\d+)\b/g)].map(([, number]) => Number(number))),
];

/** Labels are those of a fragment, of which a processor may have several alike. */
const ownLabels = (line, at) =>
  line
    .replace(/^(\w+):$/, `$1_${at}:`)
    .replace(/^((?:j|jz|jgt0f)\s+(?:r\d+,\s*)?)(?!r\d+$)(\w+)$/, `$1$2_${at}`);

function machineOf({ size, sections, processors, links }) {
  const names = [...processors.keys()].sort();
  const domains = names.map((name) => {
    const section = sections.get(processors.get(name));
    if (!section) alert(`section ${processors.get(name)} not found`);
    const program = programOf(section);
    return {
      Modes: ["ha"],
      Rsize: size,
      N: portsOf(program, "i"),
      M: portsOf(program, "o"),
      Slocs: program.map(() => "0".repeat(size + 6)),
      Vars: [],
      // The real tool has no such key: the programs themselves, for the stand-in of `bondmachine`.
      Program: program,
    };
  });
  const all = [...links.values()].flat();
  const count = (type) =>
    Math.max(
      0,
      ...all.filter((end) => end.cp === "bm" && end.type === type).map((end) => end.index + 1),
    );
  const sinks = [
    ...domains.flatMap(({ N }, at) =>
      range(N).map((port) => ({ Map_to: 2, Res_id: at, Ext_id: port })),
    ),
    ...range(count("output")).map((port) => ({ Map_to: 1, Res_id: port, Ext_id: 0 })),
  ];
  const sources = [
    ...domains.flatMap(({ M }, at) =>
      range(M).map((port) => ({ Map_to: 3, Res_id: at, Ext_id: port })),
    ),
    ...range(count("input")).map((port) => ({ Map_to: 0, Res_id: port, Ext_id: 0 })),
  ];
  const feeds = sinks.map(() => -1);
  for (const ends of links.values()) {
    const places = (list, outer, inner) =>
      ends.map((end) =>
        list.findIndex((each) =>
          end.cp === "bm"
            ? end.type === outer.type && each.Map_to === outer.map && each.Res_id === end.index
            : end.type === inner.type &&
              each.Map_to === inner.map &&
              names[each.Res_id] === end.cp &&
              each.Ext_id === end.index,
        ),
      );
    const to = places(sinks, { type: "output", map: 1 }, { type: "input", map: 2 }).find(
      (at) => at >= 0,
    );
    const from = places(sources, { type: "input", map: 0 }, { type: "output", map: 3 }).find(
      (at) => at >= 0,
    );
    if (to !== undefined && from !== undefined) feeds[to] = from;
  }
  return {
    Rsize: size,
    Domains: domains,
    Processors: range(names.length),
    Inputs: count("input"),
    Outputs: count("output"),
    Internal_inputs: sinks,
    Internal_outputs: sources,
    Links: feeds,
    Shared_objects: [],
    Shared_links: domains.map(() => []),
  };
}

const range = (count) => Array.from({ length: count }, (_, at) => at);

const portsOf = (program, letter) =>
  Math.max(
    0,
    ...program
      .flat()
      .filter((each) => new RegExp(`^${letter}\\d+$`).test(String(each)))
      .map((each) => Number(each.slice(1)) + 1),
  );

/** Instructions as lists; jumps by place. Constants become words. */
function programOf(lines) {
  const labels = new Map();
  const code = [];
  for (const line of lines) {
    if (line.startsWith("entry ")) continue;
    if (line.endsWith(":")) labels.set(line.slice(0, -1), code.length);
    else code.push(line.split(/[\s,]+/));
  }
  if (!lines.some((line) => line.startsWith("entry "))) alert("no entry point");
  return code.map(([operation, ...operands]) => {
    if (
      !/^(mov|cpy|clr|dec|cmprlt|jcmpl|j|jz|jgt0f|(add|mult|div)(f|f16)|(add|mult)fps\d+f\d+)$/.test(
        operation,
      )
    ) {
      alert("no operator match");
    }
    return [
      operation,
      ...operands.map((operand) => {
        if (labels.has(operand)) return labels.get(operand);
        return operand.startsWith("0") ? constantOf(operand) : operand;
      }),
    ];
  });
}

function constantOf(text) {
  const unsigned = /^0u(\d+)$/.exec(text);
  if (unsigned) return Number(unsigned[1]);
  const fixed = /^0fp<(\d+)\.(\d+)>(-?[\d.]+)$/.exec(text);
  if (fixed) {
    const [, size, fraction, value] = fixed;
    const steps = BigInt(Math.trunc(Number(value) * 2 ** Number(fraction)));
    return Number(BigInt.asUintN(Number(size), steps));
  }
  const single = /^0f<32>(-?[\d.]+)$/.exec(text);
  if (single) return bitsOf(Number(single[1]));
  // The stand-in of `bondmachine` refuses them.
  if (/^0f<16>-?[\d.]+$/.test(text)) return 0;
  return alert("no operator match");
}

function bitsOf(value) {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  return view.getUint32(0);
}

try {
  main();
} catch (error) {
  const text = error.alert ?? error.message;
  process.stderr.write(`2026/11/20 22:54:57 \u001b[31m[Alert]\u001b[0m - [${text}]\n`);
}
