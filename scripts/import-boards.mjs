// Turns a board list in the exchange format into the catalogue: boards/data/{boards,parts,programmers}/*.json, one file
// an entry, and boards/data/index.ts that imports them by name.
//
//   node scripts/import-boards.mjs FILE.json
//
// FILE.json is {"format": 1, "keys": {…}, "boards": […]}, where `keys` describes every key of a board. What the list
// does not hold is here: the clocks that boards make, and the drawings
// (board-drawings.json: size in mm, package, pins a side, chip in mm; `known` unless the size is only typical of the form),
// and what boards say of themselves on USB (board-usb.json, from FPGAwars/apio-definitions).
// Entries written by hand, such as `cpu`, are left alone and indexed too.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dataFolder = join(root, "boards/data");
const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

/** Clocks that a family makes exactly of a crystal, in MHz and highest first: what designs may run at. */
const ladders = {
  ice40: { 12: [96, 72, 48, 36, 24, 12], 16: [96, 64, 48, 32, 16] },
  ecp5: {
    12: [96, 72, 48, 24, 12],
    25: [100, 75, 50, 25],
    48: [96, 72, 48, 24],
    100: [100, 75, 50, 25],
  },
  gowin: { 27: [108, 81, 54, 40.5, 27], 50: [50, 25] },
  // From the oscillator inside.
  nexus: { 12: [112.5, 90, 75, 50, 25] },
  xilinx7: { 100: [200, 150, 100, 50], 200: [200, 150, 100, 50] },
};
/** Clocks that the processor or the card's platform makes for the fabric, whatever the crystal, in MHz. */
const madeClocks = { axi: [200, 125, 100, 50], pcie: [200, 100, 50] };

const programmers = {
  iceprog: ["iceprog", "github.com/YosysHQ/icestorm"],
  icesprog: ["icesprog", "github.com/wuxx/icesugar"],
  tinyprog: ["tinyprog", "github.com/tinyfpga/TinyFPGA-Bootloader"],
  openfpgaloader: ["openFPGALoader", "github.com/trabucayre/openFPGALoader"],
  "dfu-util": ["dfu-util", "dfu-util.sourceforge.net"],
  xbutil: ["xbutil", "github.com/Xilinx/XRT"],
};

function main([file]) {
  if (!file) {
    console.error("usage: node scripts/import-boards.mjs FILE.json");
    process.exit(2);
  }
  const { format, boards } = readJson(file);
  if (format !== 1) throw new Error(`format ${format} is not 1`);
  const drawings = readJson(join(root, "scripts/board-drawings.json"));
  const usbs = readJson(join(root, "scripts/board-usb.json"));

  for (const board of boards) {
    const entry = boardEntry(board, drawings[board.id], usbs[board.id]);
    write("boards", entry.id, entry);
    write("parts", entry.part, partEntry(board));
    if (entry.programmer)
      write("programmers", entry.programmer.id, programmerEntry(entry.programmer.id));
  }
  const counts = writeIndex();
  console.log(counts.map(([folder, count]) => `${count} ${folder}`).join(", "));
}

const usbSource = "FPGAwars/apio-definitions@578fc9a6:definitions/boards.jsonc (USB ids)";

function boardEntry(board, drawing, usb) {
  if (!drawing) throw new Error(`board-drawings.json has no ${board.id}`);
  const active = (polarity) => polarity ?? "unknown";
  return {
    id: board.id,
    name: board.name,
    vendor: board.vendor,
    part: slug(board.part),
    programmer: programmerOf(board.program_cmd),
    clocks:
      board.clk_pin && board.clk_mhz
        ? [
            {
              name: "clock",
              pin: board.clk_pin,
              hz: Math.round(board.clk_mhz * 1e6),
              // Of several that sources name, the first; families with open tools take the board's own.
              ...(board.vendor_part ? { ioStandard: board.clk_iostandard.split(" (")[0] } : {}),
            },
          ]
        : [],
    standardClocksHz: (
      madeClocks[board.link] ??
      ladders[board.family]?.[board.clk_mhz] ?? [board.clk_mhz]
    ).map((mhz) => Math.round(mhz * 1e6)),
    links: linksOf(board),
    ...(usb ? { usb } : {}),
    resetPin: board.reset_pin ? { pin: board.reset_pin, active: active(board.reset_active) } : null,
    leds: board.led_pins.map((pin) => ({ pin, active: active(board.led_active) })),
    ioStandard: ioStandardsOf(board).others,
    drawing: {
      widthMm: drawing.size[0],
      heightMm: drawing.size[1],
      package: drawing.package,
      pinsPerSide: drawing.pins,
      chipMm: drawing.chip,
      usb: drawing.usb,
      headers: drawing.headers,
      leds: Math.min(board.led_pins.length, 8),
    },
    doubts: doubtsOf(board, drawing),
    notes: [board.notes, board.clk_note, board.uart_note, `Load with: ${board.program_cmd}`]
      .filter(Boolean)
      .map((text) => `${text.replace(/\.$/, "")}.`)
      .join(" "),
    sources: [...board.sources, ...(usb ? [usbSource] : [])],
  };
}

/** `UART LVCMOS25; reset and LEDs 0-3 LVCMOS15`: two standards in one text, else one for all. */
function ioStandardsOf({ iostandard }) {
  const [, uart, others] = /^UART (\S+); .* (\S+)$/.exec(iostandard ?? "") ?? [];
  return uart ? { uart, others } : { others: iostandard };
}

/** What makes a board's processor or platform known to the vendor's tools; null where no source names it. */
function networkOf(board) {
  if (board.link === "pcie") return { kind: "pcie", platform: board.vitis_platform };
  const [, boardPart = null] = /^Board part (\S+?)\.?$/m.exec(board.notes) ?? [];
  return { kind: "axi", boardPart };
}

function linksOf(board) {
  const uart =
    board.uart_rx_pin && board.uart_tx_pin && board.baud_default
      ? [
          {
            kind: "uart",
            rx: board.uart_rx_pin,
            tx: board.uart_tx_pin,
            baud: board.baud_default,
            onboard: board.uart_onboard,
            ...(ioStandardsOf(board).uart ? { ioStandard: ioStandardsOf(board).uart } : {}),
          },
        ]
      : [];
  return board.link === "uart" ? uart : [networkOf(board), ...uart];
}

function doubtsOf(board, drawing) {
  return [
    ...board.single_source.map((key) => `${key}: one source only`),
    ...board.unverified.map((key) => `${key}: from vendor tables, not seen in a board file`),
    ...board.conflicts,
    ...(board.reset_active === "unknown" ? ["reset_active: no source states it"] : []),
    ...(board.led_active === "unknown" ? ["led_active: no source states it"] : []),
    ...(drawing.known ? [] : ["drawing: size typical of the form, not measured"]),
  ];
}

/** The first loading command in the text whose programmer we know. */
function programmerOf(text) {
  for (const [id, [command]] of Object.entries(programmers)) {
    const found = new RegExp(`(?:^|[ (])${command} ((?:[^,(]*?)FILE\\S*)`).exec(text);
    if (!found) continue;
    const args = found[1].match(/"[^"]*"|\S+/g).map((arg) =>
      arg
        .replace(/["),]/g, "")
        .replace(/FILE(\.\w+)?/, filled("file"))
        .replace("BDF", filled("device"))
        .replace("CABLE", filled("cable")),
    );
    return { id, args };
  }
  return null;
}

function programmerEntry(id) {
  const [command, source] = programmers[id];
  return { id, name: command, command, args: [filled("file")], sources: [source] };
}

function partEntry(board) {
  return {
    id: slug(board.part),
    name: board.part,
    family: board.family,
    package: packageOf(board),
    flow: flowOf(board),
    resources: {
      lut: board.lut,
      lutType: board.lut_type,
      ff: board.ff,
      bramBlocks: board.bram_blocks,
      bramBlockBits: board.bram_block_kbit * 1024,
      dsp: board.dsp,
      spramBits: board.spram_kbit * 1024,
    },
    sources: board.sources,
  };
}

function packageOf(board) {
  const named = board.nextpnr?.indexOf("--package") ?? -1;
  if (named >= 0) return board.nextpnr[named + 1];
  const found = /(?:QN|PG|MG|BG|CLG|FFVB|FFG|CPG|FSVH|FSGD|FIGD|(?<!XC)U)\d+/.exec(board.part);
  if (!found) throw new Error(`${board.part} names no package known here`);
  return found[0];
}

function flowOf(board) {
  if (board.family === "ice40") {
    const [device, , packageName] = board.nextpnr;
    const synthArgs = board.dsp > 0 ? ["-dsp"] : [];
    return { kind: "icestorm", device: device.slice(2), package: packageName, synthArgs };
  }
  const argumentOf = (flag) => board.nextpnr[board.nextpnr.indexOf(flag) + 1];
  if (board.family === "ecp5") {
    const [device] = board.nextpnr;
    const speed = Number(argumentOf("--speed"));
    return { kind: "trellis", device: device.slice(2), package: argumentOf("--package"), speed };
  }
  if (board.family === "gowin") {
    const [, ...synthArgs] = board.yosys.split(" ");
    const placeOptions = board.nextpnr.filter((_, at) => board.nextpnr[at - 1] === "--vopt");
    const [, device] = board.gowin_pack;
    // The rPLL of the GW1N and GW2A; the GW5A has another, which the open tools do not place.
    const pll = device.startsWith("GW5A") ? null : device.replace("GW1N-", "GW1NR-");
    return {
      kind: "apicula",
      device: argumentOf("--device"),
      synthArgs,
      placeOptions,
      packArgs: board.gowin_pack,
      pll,
    };
  }
  if (board.family === "nexus") return { kind: "oxide", device: argumentOf("--device") };
  if (board.flow === "quartus") return { kind: "quartus", device: board.vendor_part };
  return {
    kind: "vivado",
    device: board.vendor_part,
    synthesis: board.family === "xilinx7" ? "xc7" : "xcup",
  };
}

/** What the board server fills in, as it stands in the data. */
const filled = (name) => `$\{${name}}`;

const slug = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, "-");

function write(folder, id, entry) {
  mkdirSync(join(dataFolder, folder), { recursive: true });
  writeFileSync(join(dataFolder, folder, `${id}.json`), `${JSON.stringify(entry, null, 2)}\n`);
}

function writeIndex() {
  const folders = [
    ["boards", "boardEntries", "board"],
    ["parts", "partEntries", "part"],
    ["programmers", "programmerEntries", "programmer"],
  ];
  const imports = [];
  const lists = [];
  const counts = [];
  for (const [folder, list, prefix] of folders) {
    const ids = readdirSync(join(dataFolder, folder))
      .filter((name) => name.endsWith(".json"))
      .map((name) => name.slice(0, -".json".length))
      .sort();
    const nameOf = (id) => `${prefix}_${id.replaceAll("-", "_")}`;
    imports.push(...ids.map((id) => `import ${nameOf(id)} from "./${folder}/${id}.json";`));
    lists.push(
      `export const ${list} = [\n${ids.map((id) => `  ${nameOf(id)},\n`).join("")}] as const;`,
    );
    counts.push([folder, ids.length]);
  }
  const head = "// Written by scripts/import-boards.mjs. Do not edit.";
  writeFileSync(
    join(dataFolder, "index.ts"),
    `${head}\n${imports.join("\n")}\n\n${lists.join("\n\n")}\n`,
  );
  return counts;
}

main(process.argv.slice(2));
