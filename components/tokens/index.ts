export { TokenSettings } from "./token-settings";
