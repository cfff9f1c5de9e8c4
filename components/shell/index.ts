export { Providers } from "./providers";
export { Rail } from "./rail";
export { SandboxBanner } from "./sandbox-banner";
export type { Theme } from "./theme-toggle";
export { TopBar } from "./top-bar";
