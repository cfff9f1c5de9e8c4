import { fromBinary } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import {
  type BuildFirmwareRequest,
  BuildFirmwareRequestSchema,
  BuildFirmwareRequestWithoutArchSchema,
} from "./generated/buildfirmware_pb";

/** What a build is asked by: in the numbering that has `arch`, or in the older one, which leaves it empty. */
export type BuildRequest = Omit<BuildFirmwareRequest, "$typeName" | "$unknown">;

const maxFields = 64;

/** Reads a request in either numbering. @throws {Error} for a message of another shape. */
export function readBuildRequest(bytes: Uint8Array): BuildRequest {
  if (!isWithoutArch(bytes)) return fromBinary(BuildFirmwareRequestSchema, bytes);
  return { ...fromBinary(BuildFirmwareRequestWithoutArchSchema, bytes), arch: "" };
}

/** In the older numbering field 6 is a number and field 8 a text, in the other one they are the other way round. */
function isWithoutArch(bytes: Uint8Array): boolean {
  const reader = new BinaryReader(bytes);
  for (let fields = 0; reader.pos < reader.len; fields++) {
    if (fields === maxFields) throw new Error("the message has too many fields");
    const [field, wireType] = reader.tag();
    if (field === 6) return wireType === WireType.Varint;
    if (field === 8) return wireType === WireType.LengthDelimited;
    reader.skip(wireType, field);
  }
  return false;
}
