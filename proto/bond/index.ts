export { type BuildRequest, readBuildRequest } from "./build-request";
export { InputRequestSchema, LoadRequestSchema } from "./generated/bond_pb";
export { BuildFirmwareRequestSchema } from "./generated/buildfirmware_pb";
export { type Outcome, readOutcome, writeOutcome } from "./outcome";

/** Paths of the methods, as gRPC has them. */
export const bondPaths = {
  load: "/bondPackage.BondServer/load",
  predict: "/bondPackage.BondServer/predict",
  buildFirmware: "/buildFirmwarePackage.BuildFirmwareServer/buildFirmware",
} as const;
