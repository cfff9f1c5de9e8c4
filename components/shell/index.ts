export { Breadcrumb } from "./breadcrumb";
export { Providers } from "./providers";
export { Rail } from "./rail";
export { SandboxBanner } from "./sandbox-banner";
export { TopBar } from "./top-bar";
