export { readTar, type TarMember } from "./read-tar";
export { tarEnd, tarHeader, tarPadding, tarSize } from "./write-tar";
