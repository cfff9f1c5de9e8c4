export { artifactsQuery } from "./api";
export { FirmwareList } from "./firmware-list";
export { FirmwareView } from "./firmware-view";
