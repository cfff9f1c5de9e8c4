import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillBlanks, getBoardModel, powerOnCycles } from "@/boards";
import {
  getEngine,
  type Plan,
  runReference,
  type Step,
  type ToolStep,
  type Variant,
  wordsOfRow,
} from "@/engines";
import { compileNetlist } from "@/simulator/compile";
import { bundleFolder, toolsFolder } from "@/tests/workers/folders";
import { proveAxi } from "@/workers/builds/stages/prove-axi";
import { proveLine } from "@/workers/builds/stages/serial-line";
import { chooseSandbox, createToolchain, runTool } from "@/workers/builds/tools";
import { readFolder } from "@/workers/builds/tools/products";

type ToolRun = Pick<ToolStep, "command" | "args" | "reads" | "produces"> &
  Partial<Pick<ToolStep, "folder" | "stdout">>;

/** A folder in which tools run as a build worker runs them: the same programs, in the same sandbox. */
export interface Workbench {
  readonly folder: string;
  write(name: string, content: string | Uint8Array): Promise<void>;
  text(name: string): Promise<string>;
  bytes(name: string): Promise<Buffer>;
  /** @throws {Error} with the tool's last words. */
  run(call: ToolRun): Promise<void>;
  /** The steps of a plan, of an engine. */
  step(step: Step, engine?: string): Promise<void>;
  /** Sends vectors through a variant's simulated netlist, or its bitstream, and answers how many. @throws {AppError} */
  prove(
    plan: Plan,
    variant: Variant,
    most: number,
    level?: "netlist" | "bitstream",
  ): Promise<number>;
  close(): Promise<void>;
}

/** @param bondmachine The folder of its tools, where they are needed. */
export async function openWorkbench(bondmachine?: string): Promise<Workbench> {
  process.env["BOARDWALK_BUNDLES"] ??= await bundleFolder();
  const work = await mkdtemp(join(tmpdir(), "bw-bench-"));
  const toolchain = createToolchain({
    native: new Set(),
    toolsDir: toolsFolder,
    ...(bondmachine === undefined ? {} : { suites: { bondmachine } }),
  });
  const sandbox = await chooseSandbox("auto");
  const at = (name: string) => join(work, name);

  const run: Workbench["run"] = async (call) => {
    let said = "";
    const answers: Buffer[] = [];
    await runTool({
      ...call,
      tool: await toolchain.getTool(call.command),
      sandbox,
      work,
      timeoutS: 900,
      signal: AbortSignal.timeout(900_000),
      onOutput: (stream, bytes) => {
        if (stream === "stdout") answers.push(bytes);
        said = (said + bytes.toString("utf8")).slice(-2000);
      },
    }).catch((cause: unknown) => {
      throw new Error(`${call.command} failed:\n${said}`, { cause });
    });
    if (call.stdout !== undefined) await writeFile(at(call.stdout), Buffer.concat(answers));
  };

  return {
    folder: work,
    run,
    write: (name, content) => writeFile(at(name), content),
    text: (name) => readFile(at(name), "utf8"),
    bytes: (name) => readFile(at(name)),
    async step(step, engine = "boardwalk") {
      if (step.kind === "tool") return await run(step);
      if (step.kind === "fill-blanks") {
        const [mapped = "", filling = ""] = await Promise.all(
          [step.mapped, step.filling].map((name) => readFile(at(name), "utf8")),
        );
        const { netlist, counts } = fillBlanks(mapped, step.top, JSON.parse(filling));
        await writeFile(at(step.netlist), netlist);
        return await writeFile(at(step.cells), JSON.stringify(counts));
      }
      if (step.kind === "derive") {
        const { task, given, reads, folder, produces } = step;
        const made = getEngine(engine).derive?.[task]?.({
          given,
          reads,
          text: (name) => (existsSync(at(name)) ? readFileSync(at(name), "utf8") : null),
          bytes: (name) => (existsSync(at(name)) ? readFileSync(at(name)) : null),
          folder: folder === undefined ? new Map() : readFolder(work, folder),
        });
        for (const name of produces) await writeFile(at(name), made?.get(name) ?? "");
        return;
      }
      if (step.kind === "host") throw new Error("no build server is asked here");
      const text = await readFile(at(step.netlist), "utf8");
      const { wasm } = compileNetlist(text, { top: step.top, signals: step.signals });
      await writeFile(at(step.produces[0] ?? ""), wasm);
    },
    async prove(plan, variant, most, level = "netlist") {
      const { core, reference, baud, vectors } = plan;
      if (!core || !reference) throw new Error("the plan has no firmware");
      const answers = vectors.map((row) => {
        const { output } = runReference(reference, wordsOfRow(reference, row));
        const bytes = Buffer.alloc(core.outputBytes);
        for (const [at, value] of Array.from(output).entries())
          bytes.writeIntLE(value, at * core.bytesPerOutput, core.bytesPerOutput);
        return bytes;
      });
      const task = {
        level,
        work,
        simulation:
          level === "netlist" ? variant.netlistSimulation : (variant.readBack?.simulation ?? ""),
        planDigest: plan.digest,
        core,
        vectors,
        outputs: Buffer.concat(answers),
        rows: { most, least: most, withinMs: 0 },
      };
      if (baud === undefined) return proveAxi(task);
      return proveLine({
        ...task,
        clocksPerBit: Math.round(variant.clockHz / baud),
        powerOnCycles: powerOnCycles(getBoardModel(plan.boardModel)),
      });
    },
    close: () => rm(work, { recursive: true, force: true }),
  };
}
