import { z } from "zod";
import { type BoardModel, listBoardModels } from "@/boards";
import { boardKindSchema, type Loads } from "@/lib/common/contract";
import type { Engine } from "./engine";

/** What an engine runs for a format and a board. */
export interface ToolNeed {
  readonly format: string;
  readonly board: string;
  /** The one choice among the engine's options that asks for further commands; left out: what builds take anyway. */
  readonly option?: { readonly name: string; readonly value: string | boolean };
  readonly commands: readonly string[];
}

/** How builds for a board are asked for when no device is named. */
export const kindOnDemand = ({ part }: BoardModel) =>
  part.flow.kind === "cpu" ? ("cpu" as const) : ("simulated" as const);

/** Which boards can load what an engine makes. */
export const loadsOf = ({ loads = ["boardwalk"] }: Pick<Engine, "loads">): readonly Loads[] =>
  loads;

/** Board models that an engine builds for, on demand or real ones alone. */
export const boardsOf = (engine: Pick<Engine, "supports">): readonly BoardModel[] =>
  listBoardModels().filter((board) =>
    boardKindSchema.options.some((kind) => engine.supports(board, kind).ok),
  );

/**
 * The tools of an engine's plans: one entry for each of its formats and each board that it builds for, and one for each choice
 * of an option that takes more.
 */
export function toolNeeds(
  engine: Pick<Engine, "formats" | "supports" | "tools" | "optionsSchema">,
): readonly ToolNeed[] {
  const boards = boardsOf(engine);
  const choices = choicesOf(engine);
  return engine.formats.flatMap((format) =>
    boards.flatMap((board) => {
      const need = { format, board: board.id, commands: engine.tools(format, board) };
      const further = choices.flatMap((option) => {
        const commands = engine.tools(format, board, { [option.name]: option.value });
        const isMore = commands.some((command) => !need.commands.includes(command));
        return isMore ? [{ ...need, option, commands }] : [];
      });
      return [need, ...further];
    }),
  );
}

/** Every value of every option that is chosen from a list. */
function choicesOf({
  optionsSchema,
}: Pick<Engine, "optionsSchema">): readonly NonNullable<ToolNeed["option"]>[] {
  const { properties } = propertiesSchema.parse(z.toJSONSchema(optionsSchema, { io: "input" }));
  return Object.entries(properties).flatMap(([name, { type, enum: values = [] }]) =>
    (type === "boolean" ? [true, false] : values).flatMap((value) =>
      typeof value === "string" || typeof value === "boolean" ? [{ name, value }] : [],
    ),
  );
}

const propertiesSchema = z.object({
  properties: z
    .record(z.string(), z.object({ type: z.unknown(), enum: z.array(z.unknown()) }).partial())
    .default({}),
});
