export { type AlertWatch, watchAlerts } from "./alert-watch";
export { type FoundTools, findMissingTools } from "./missing-tools";
export { measureProduct, openProduct, readProduct, streamProduct } from "./products";
export { runTool, type ToolLimits, type ToolRun } from "./run-tool";
export { chooseSandbox, mendSandbox, type Sandbox } from "./sandbox";
export { createStepCache, type StepCache, stepKey } from "./step-cache";
export type { Tool } from "./tool";
export {
  createToolchain,
  nativeFamilies,
  suiteFolders,
  type Toolchain,
  vendorPaths,
} from "./toolchain";
