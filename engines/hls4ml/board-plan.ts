import type { Plan, PlanRequest } from "../engine";
import type { Options } from "./options";

/** What a kind of board decides of a plan. */
export type BoardPart = Pick<
  Plan,
  "files" | "steps" | "emulation" | "products" | "forecast" | "platform"
>;

/** What a kind of board is planned from. */
export interface BoardRequest extends Pick<PlanRequest, "model" | "board"> {
  readonly options: Options;
  readonly io: Plan["io"];
}
