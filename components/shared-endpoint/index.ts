export { SharedEndpoint } from "./shared-endpoint";
