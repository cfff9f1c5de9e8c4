export type { HostFolders } from "./usb";
export { type UsbWatch, watchUsb } from "./watch-usb";
