import type { BoardModel } from "./schema";
import { lightsOf } from "./top";

/**
 * Why a design on a real board of a model cannot be made to show which board it is: null where it can, by the LED that shows
 * its serial line.
 */
export function whyNoBlink(model: BoardModel): string | null {
  const { name, links } = model;
  if (!links.some(({ kind }) => kind === "uart"))
    return `A design on ${name} is reached by its registers, which drive no LED.`;
  const lights = lightsOf(model);
  if (lights.length > 1) return null;
  return lights.length === 1
    ? `The only LED of ${name} that a design drives shows that the design runs: it blinks all the time.`
    : `A design drives no LED of ${name}.`;
}
