export { ToolchainsPage } from "./toolchains-page";
