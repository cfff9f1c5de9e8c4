import { bitstreamFormats, readBitstream } from "@/boards/bitstreams";
import type { Inspection } from "@/lib/common/contract";
import { type FirmwarePart, isLegacyMetadata, readTriple } from "../bond-firmware";
import type { ParsedModel } from "../engine";
import type { Firmware } from "../firmware";
import { boardKindsOf } from "./board-kinds";

/** Formats that only the engine for prebuilt firmware reads. */
export const firmwareFormats: readonly string[] = [
  "boardwalk-artifact",
  "bondmachine-firmware",
  ...bitstreamFormats.map(({ id }) => id),
];

/**
 * Recognises a bitstream, or the files of a BondMachine firmware, by their bytes; null: it is something else.
 *
 * @param beside Files of the same name with other endings.
 * @throws {AppError} `FIRMWARE_TRUNCATED`, `FIRMWARE_INVALID`, `FIRMWARE_MISMATCH`, `FIRMWARE_METADATA_INVALID`
 */
export function readFirmware(
  { bytes, digest }: Pick<ParsedModel, "bytes" | "digest">,
  beside: Partial<Record<FirmwarePart, Uint8Array>> = {},
): ParsedModel | null {
  const model = { bytes, digest, graph: null, savedModel: null };
  if (isLegacyMetadata(bytes)) {
    const firmware = readTriple({ ...beside, json: bytes });
    return { ...model, format: "bondmachine-firmware", firmware };
  }
  const header = readBitstream(bytes);
  if (!header) return null;
  if (beside.json) {
    const firmware = readTriple({ ...beside, bit: bytes });
    return { ...model, format: "bondmachine-firmware", firmware };
  }
  return { ...model, format: header.format, firmware: { kind: "bitstream", header } };
}

/** What an inspection tells of firmware. */
export function describeFirmware(
  firmware: Firmware,
): Pick<Inspection, "inputs" | "outputs" | "layers" | "parameters" | "firmware"> {
  const none = { layers: [], parameters: 0 };
  if (firmware.kind === "archive") {
    const { manifest, digest } = firmware;
    const spec = ({ name, datatype, shape }: Inspection["inputs"][number]) => ({
      name,
      datatype,
      shape: [...shape],
    });
    return {
      ...none,
      inputs: manifest.io.inputs.map(spec),
      outputs: manifest.io.outputs.map(spec),
      firmware: {
        kind: "archive",
        boardModel: manifest.boardModel,
        artifactDigest: digest,
        boardKinds: boardKindsOf(manifest),
      },
    };
  }
  const { kind, header } = firmware;
  const device = header.partName ?? header.device;
  if (kind === "bitstream") {
    return {
      ...none,
      inputs: [],
      outputs: [],
      firmware: { kind, device, boardKinds: ["physical"] },
    };
  }
  const { n_inputs, n_outputs } = firmware.metadata;
  return {
    ...none,
    inputs: [{ name: "input", datatype: "FP32", shape: [-1, n_inputs] }],
    outputs: [{ name: "output", datatype: "FP32", shape: [-1, n_outputs] }],
    firmware: { kind, device, boardKinds: ["physical"] },
  };
}
