export type { HostFolders } from "./usb";
export { watchUsb } from "./watch-usb";
