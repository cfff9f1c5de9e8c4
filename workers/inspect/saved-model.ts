import { type ParsedModel, readSavedModel, savedModelFile } from "@/engines";
import type { Inspection } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { extractFiles, type Packing } from "./archive";

/** What the files of a SavedModel may expand to: as much as an artifact's model may have. */
const folderMib = 256;
const parts =
  /^(saved_model\.pb|keras_metadata\.pb|variables\/variables\.(index|data-\d{5}-of-\d{5}))$/;

/** Whether an archive with these members holds a SavedModel. */
export const holdsSavedModel = (names: readonly string[]): boolean => graphsIn(names).length > 0;

const graphsIn = (names: readonly string[]) =>
  names.filter((name) => name === savedModelFile || name.endsWith(`/${savedModelFile}`));

/**
 * Reads the SavedModel of an archive that was judged.
 *
 * @throws {AppError} with the reason why it cannot be taken.
 */
export async function readArchive(
  archive: Pick<ParsedModel, "bytes" | "digest">,
  packing: Packing,
  names: readonly string[],
): Promise<ParsedModel> {
  const [graph = "", another] = graphsIn(names);
  if (another !== undefined) {
    throw fail("MODEL_UNSUPPORTED", "The archive holds more than one SavedModel.", {
      hint: "Pack the one that is to be served.",
    });
  }
  const folder = graph.slice(0, -savedModelFile.length);
  const wanted = names.filter(
    (name) => name.startsWith(folder) && parts.test(name.slice(folder.length)),
  );
  const files = await extractFiles(archive.bytes, packing, {
    wanted: new Set(wanted),
    onSize(sizeBytes) {
      if (sizeBytes <= folderMib * 2 ** 20) return;
      throw fail("MODEL_TOO_COMPLEX", `The SavedModel has more than ${folderMib} MiB.`);
    },
  });
  const plain = (name: string) => name.slice(name.lastIndexOf("/") + 1);
  return readSavedModel(
    archive,
    new Map([...files].map(([name, content]) => [plain(name), content])),
  );
}

/** Inputs, outputs and trained numbers of a SavedModel, as an inspection tells them. Each variable is a layer. */
export function describeSavedModel({
  signature,
  variables,
}: NonNullable<ParsedModel["savedModel"]>): Pick<
  Inspection,
  "inputs" | "outputs" | "layers" | "parameters"
> {
  const layers = variables.map(({ name, shape }) => ({
    name,
    operator: "Variable",
    shape: [...shape],
    parameters: shape.reduce((product, size) => product * Math.max(0, size), 1),
  }));
  return {
    inputs: signature.inputs.map(({ shape, ...spec }) => ({ ...spec, shape: [...shape] })),
    outputs: signature.outputs.map(({ shape, ...spec }) => ({ ...spec, shape: [...shape] })),
    layers,
    parameters: layers.reduce((sum, layer) => sum + layer.parameters, 0),
  };
}
