import { z } from "zod";

const requestSchema = z.object({ inputs: z.array(z.object({ shape: z.array(z.number()) })) });

/** Elements of all inputs of a V2 request, as its shapes say; null for a text that is none. */
export function countElements(request: string): number | null {
  try {
    const { inputs } = requestSchema.parse(JSON.parse(request));
    const sizes = inputs.map(({ shape }) => shape.reduce((product, each) => product * each, 1));
    return sizes.reduce((sum, each) => sum + each, 0);
  } catch {
    return null;
  }
}
