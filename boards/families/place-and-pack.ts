import { type FlowStep, flowFiles } from "./family";

/** What a family needs to place a netlist and to pack it into a bitstream. */
export interface PlaceAndPack {
  /** `routed`: what the packer reads. */
  readonly files: { readonly pins: string; readonly routed: string; readonly bitstream: string };
  readonly place: {
    readonly command: string;
    /** Arguments that name the part. */
    readonly target: readonly string[];
    /** Arguments that name the pin file and, where it is none of those that every flow writes, the packer's. */
    readonly io: readonly string[];
  };
  readonly pack: { readonly command: string; readonly args: readonly string[] };
  /** What timing must hold at. */
  readonly clockHz: number;
  readonly seed: number;
}

/** The two steps from a mapped design to a bitstream: every family has its nextpnr, and a packer. */
export function placeAndPack(flow: PlaceAndPack): readonly FlowStep[] {
  const { files, place, pack, clockHz, seed } = flow;
  return [
    {
      stage: "place",
      name: "place and route",
      command: place.command,
      args: [
        ...place.target,
        ...["--json", flowFiles.design],
        ...place.io,
        ...["--report", flowFiles.report, "--detailed-timing-report"],
        ...["--write", flowFiles.placed],
        ...["--freq", String(clockHz / 1e6)],
        ...["--seed", String(seed)],
        "--timing-allow-fail",
      ],
      reads: [flowFiles.design, files.pins],
      produces: [...new Set([files.routed, flowFiles.report, flowFiles.placed])],
    },
    {
      stage: "pack",
      name: "pack",
      command: pack.command,
      args: pack.args,
      reads: [files.routed],
      produces: [files.bitstream],
    },
  ];
}
