export { firmwareIo, origin, requireNamed } from "./facts";
export { isLegacyMetadata, parseLegacyMetadata } from "./legacy-metadata";
export { type FirmwarePart, partsBeside, readTriple } from "./triple";
