import type { Manifest } from "@/lib/common/contract";

type CorePort = NonNullable<Manifest["core"]>;

/** As much of a software model as the stream port of its core shows. */
interface Edges {
  readonly input: { readonly size: number; readonly width: number };
  readonly output: { readonly size: number; readonly width: number };
}

/** How a row passes the stream port of a core that answers as a software model does: inputs of whole bytes each. */
export function corePortOf({ input, output }: Edges, latencyCycles: number): CorePort {
  const bytesPerOutput = output.width / 8;
  return {
    inputBytes: input.size * Math.ceil(input.width / 8),
    outputBytes: output.size * bytesPerOutput,
    bytesPerOutput,
    latencyCycles,
  };
}
