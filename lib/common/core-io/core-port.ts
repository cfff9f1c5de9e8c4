import type { Manifest } from "@/lib/common/contract";

type CorePort = NonNullable<Manifest["core"]>;

/** As much of an integer graph as its stream port shows. */
interface Edges {
  readonly input: { readonly size: number };
  readonly output: { readonly size: number; readonly width: number };
}

/** How a row passes the stream port of a core that answers as an integer graph does. */
export function corePortOf({ input, output }: Edges, latencyCycles: number): CorePort {
  const bytesPerOutput = output.width / 8;
  return {
    inputBytes: input.size,
    outputBytes: output.size * bytesPerOutput,
    bytesPerOutput,
    latencyCycles,
  };
}
