import { paths } from "../fpga/paths";

/** Names in the work folder of what makes a machine. */
export const files = {
  /** neuralbond's own: the network, and its configuration, which it rewrites. */
  network: "net.json",
  configuration: "cfg.json",
  assembly: "net.basm",
  maps: "maps.json",
  requirements: "req.json",
  machine: "bm.json",
  inputs: "inputs.txt",
  outputs: "outputs.txt",
  processors: "processors.txt",
  bonds: "bonds.txt",
  /** The folder in which the generator runs. */
  verilog: "hdl",
  wrapper: "wrapper.v",
  core: paths.core,
} as const;
