import { listEngines, toolNeeds } from "@/engines";
import type { BuildWorker, MissingTool } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import { toolCatalogue } from "./catalogue";
import type { Toolchain } from "./toolchain";

/** Every command that a plan of some engine may run. Those of vendors are not among them: without them projects are written. */
const wanted = [
  ...new Set(listEngines().flatMap((engine) => toolNeeds(engine).flatMap((need) => need.commands))),
];

/** Tools that a build worker has, with their versions, and those of engines that it has not. */
export type FoundTools = {
  readonly [Name in "missing" | "tools"]: NonNullable<BuildWorker[Name]>;
};

/** Looks for every tool that there is; of those of engines that are not here it gives the line that brings each. */
export async function findMissingTools(
  { getTool }: Pick<Toolchain, "getTool">,
  commands: readonly string[] = [...new Set([...wanted, ...toolCatalogue.keys()])],
): Promise<FoundTools> {
  const missing: MissingTool[] = [];
  const tools: Record<string, string> = {};
  const look = async (command: string) => {
    try {
      tools[command] = (await getTool(command)).version;
    } catch (error) {
      if (!isAppError(error)) throw error;
      if (wanted.includes(command)) missing.push({ command, hint: error.hint ?? error.message });
    }
  };
  await Promise.all(commands.map(look));
  const order = (command: string) => commands.indexOf(command);
  return { missing: missing.sort((a, b) => order(a.command) - order(b.command)), tools };
}
