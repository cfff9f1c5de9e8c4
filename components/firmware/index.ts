export { artifactsQuery } from "./api";
export { useProofAppearance } from "./appearance";
export { FirmwareList } from "./firmware-list";
export { FirmwareView } from "./firmware-view";
