export { boardPage } from "./board-page";
export { buildPage } from "./build-page";
export { deployPage } from "./deploy-page";
export { endpointPage } from "./endpoint-page";
export { listPage } from "./list-page";
export { openPage } from "./open-page";
export { picture } from "./picture";
export { simulatePanel } from "./simulate-panel";
