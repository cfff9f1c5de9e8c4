import { paths } from "../../fpga/paths";

/** Names in the work folder of what makes adders of a network. */
export const files = {
  script: "trace.py",
  task: "trace.json",
  problem: "problem.json",
  /** What da4ml writes: its Verilog, one module behind the other, and what the ports of it mean. */
  network: "network.v",
  ports: "network.json",
  /** Of a model that da4ml reads itself: the file, and its program in plain words. */
  model: "model.keras",
  program: "program.json",
  graph: paths.graph,
  core: paths.core,
} as const;
