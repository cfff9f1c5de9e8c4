export { measureProduct, openProduct, readProduct, streamProduct } from "./products";
export { runTool, type ToolRun } from "./run-tool";
export { chooseSandbox, type Sandbox } from "./sandbox";
export { createToolchain, type Tool, type Toolchain } from "./toolchain";
