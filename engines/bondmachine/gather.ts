import { z } from "zod";
import { fail } from "@/lib/common/errors";
import { keysOf } from "@/lib/common/records";
import type { DeriveInput } from "../engine";
import { files } from "./files";

/** What a machine must be, as the plan says it. */
export const expectedMachineSchema = z.strictObject({
  inputs: z.number().int(),
  outputs: z.number().int(),
  processors: z.number().int(),
  /** Ends of links that something must feed: inputs of processors, and outputs of the machine. */
  links: z.number().int(),
  registerSize: z.number().int(),
});
/** As many as there must be of each. */
export type ExpectedMachine = z.infer<typeof expectedMachineSchema>;

/** As much of `bm.json` as is judged. */
const machineSchema = z.object({
  Rsize: z.number(),
  Inputs: z.number(),
  Outputs: z.number(),
  Processors: z.array(z.unknown()).nullable(),
  Links: z.array(z.number()).nullable(),
  Domains: z.array(z.object({ Slocs: z.array(z.string()).nullable() })).nullable(),
});
type Machine = z.infer<typeof machineSchema>;

/**
 * Judges what the assembler and the generator left, neither of whose status says whether all went well, and makes one text
 * of the wrapper and of the machine's Verilog.
 *
 * @throws {AppError} `OUTPUT_MISSING`, `OUTPUT_INVALID` with what is wrong in the words of a person.
 */
export function gather({ given, text, folder }: DeriveInput): ReadonlyMap<string, string> {
  const expected = expectedMachineSchema.parse(given);
  const need = (path: string) => {
    const found = text(path);
    if (found === null) throw fail("OUTPUT_MISSING", `basm and bondmachine left no ${path}.`);
    return found;
  };
  checkMachine(parseMachine(need(files.machine)), expected);
  checkLists(need, expected);
  const parts = verilogParts(folder, expected.processors);
  return new Map([
    [files.core, [need(files.wrapper), ...parts.map(([, part]) => tidyVerilog(part))].join("\n")],
  ]);
}

function parseMachine(text: string): Machine {
  if (text.trim() === "") throw broken("it is empty");
  try {
    return machineSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw broken("it is no machine", cause);
  }
}

const broken = (why: string, cause?: unknown) =>
  fail("OUTPUT_INVALID", `${files.machine} cannot be used: ${why}.`, {
    ...(cause === undefined ? {} : { cause }),
    hint: "Its steps in the log may say more; the versions of the tools are in the artifact's manifest.",
  });

function checkMachine(machine: Machine, expected: ExpectedMachine): void {
  const processors = machine.Processors?.length ?? 0;
  if (processors === 0) throw broken("the machine has no processors, so the tool made it up");
  const found = {
    processors,
    inputs: machine.Inputs,
    outputs: machine.Outputs,
    registerSize: machine.Rsize,
    links: machine.Links?.length ?? 0,
  };
  for (const what of keysOf(found)) {
    const [count, wanted] = [found[what], expected[what]];
    if (count === wanted) continue;
    throw broken(`the machine has ${names[what](count)}, not ${wanted}`);
  }
  const loose = machine.Links?.filter((from) => from < 0).length ?? 0;
  if (loose > 0) throw broken(`nothing feeds ${loose} of its ports, so it would never answer`);
  for (const [at, { Slocs }] of (machine.Domains ?? []).entries()) {
    if (!Slocs || Slocs.length === 0) throw broken(`processor ${at} has no program`);
    if (new Set(Slocs.map(({ length }) => length)).size > 1) {
      throw broken(`the words of the program of processor ${at} differ in length`);
    }
  }
}

const names: Readonly<Record<keyof ExpectedMachine, (count: number) => string>> = {
  processors: (count) => `${count} processors`,
  inputs: (count) => `${count} inputs`,
  outputs: (count) => `${count} outputs`,
  links: (count) => `${count} linked ports`,
  registerSize: (count) => `registers of ${count} bits`,
};

/** What `bondmachine` says of the same file. */
function checkLists(need: (path: string) => string, expected: ExpectedMachine): void {
  const linesOf = (path: string) =>
    need(path)
      .split("\n")
      .filter((line) => line !== "");
  const listed = {
    inputs: linesOf(files.inputs).length,
    outputs: linesOf(files.outputs).length,
    processors: Number(need(files.processors).trim()),
  };
  for (const what of keysOf(listed)) {
    const [count, wanted] = [listed[what], expected[what]];
    if (count === wanted) continue;
    throw fail("OUTPUT_INVALID", `bondmachine lists ${count} ${what}, not ${wanted}.`);
  }
}

/** The parts of a plain core, in the order of their names: the board's top is none of them. */
function verilogParts(
  folder: DeriveInput["folder"],
  processors: number,
): readonly (readonly [string, string])[] {
  const wanted = [
    "bondmachine.v",
    ...Array.from({ length: processors }, (_, at) => [
      `arch_${at}.v`,
      `p${at}.v`,
      `p${at}rom.v`,
    ]).flat(),
  ];
  for (const name of wanted) {
    const part = folder.get(name);
    if (part !== undefined && part.trim() !== "") continue;
    const what = part === undefined ? "made no" : "left an empty";
    throw fail("OUTPUT_MISSING", `bondmachine ${what} ${name}.`, {
      hint: "Its steps in the log may say more.",
    });
  }
  if (!/\bmodule\s+bondmachine\b/.test(folder.get("bondmachine.v") ?? "")) {
    throw fail("OUTPUT_INVALID", "bondmachine.v holds no module bondmachine.");
  }
  return [...folder].filter(([name]) => name.endsWith(".v") && name !== "bondmachine_main.v");
}

const sensitivity = /always\s*@\s*\(\s*posedge\s+(\w+)\s*(?:,|\bor\b)\s*posedge\s+(\w+)\s*\)/g;
const stateRegister = /^(\s*reg\s*(?:\[[^\]]*\]\s*)?\w+_state)\s*;/gm;

/**
 * Generated Verilog as every tool of ours takes it: without `$display`, which newer Yosys keeps as cells; with resets that
 * wait for the clock, since some families' cells know no others; and with states of the arithmetic that begin at 0.
 */
export function tidyVerilog(text: string): string {
  return text
    .split("\n")
    .filter((line) => !line.includes("$display("))
    .join("\n")
    .replace(sensitivity, (_, first: string, second: string) => {
      const clock = [first, second].filter((name) => !/reset|rst/i.test(name));
      if (clock.length !== 1) {
        throw fail(
          "OUTPUT_INVALID",
          `Of ${first} and ${second}, neither or both look like a clock.`,
        );
      }
      return `always @(posedge ${clock[0]})`;
    })
    .replace(stateRegister, "$1 = 0;");
}
