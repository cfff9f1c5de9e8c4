export { Breadcrumb } from "./breadcrumb";
export { FocusAfterMove } from "./focus-after-move";
export { Frame } from "./frame";
export { PageFoot } from "./page-foot";
export { Providers } from "./providers";
export { Rail } from "./rail";
export { SandboxBanner } from "./sandbox-banner";
export { TopBar } from "./top-bar";
