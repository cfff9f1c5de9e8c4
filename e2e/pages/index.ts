export { buildPage } from "./build-page";
export { deployPage } from "./deploy-page";
export { endpointPage } from "./endpoint-page";
export { simulatePanel } from "./simulate-panel";
