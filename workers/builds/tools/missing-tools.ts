import { listEngines, toolNeeds } from "@/engines";
import type { MissingTool } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import type { Toolchain } from "./toolchain";

/** Every command that a plan of some engine may run. Those of vendors are not among them: without them projects are written. */
const wanted = [
  ...new Set(listEngines().flatMap((engine) => toolNeeds(engine).flatMap((need) => need.commands))),
];

/** Tools of engines that are not here, each with the line that brings it. */
export async function missingTools(
  { getTool }: Pick<Toolchain, "getTool">,
  commands: readonly string[] = wanted,
): Promise<MissingTool[]> {
  const missing = await Promise.all(
    commands.map(async (command): Promise<MissingTool | null> => {
      try {
        await getTool(command);
        return null;
      } catch (error) {
        if (!isAppError(error)) throw error;
        return { command, hint: error.hint ?? error.message };
      }
    }),
  );
  return missing.filter((tool) => tool !== null);
}
