import type { Dataset, File, Group, ready } from "h5wasm";
import { fail } from "@/lib/common/errors";
import { quoted, sizeInWords } from "../../graph/words";
import { limits } from "./limits";

type H5Module = Awaited<typeof ready>;

/** The HDF5 library as WebAssembly: it has a file system in memory and sees no other. */
interface Library {
  readonly File: typeof File;
  readonly Dataset: typeof Dataset;
  readonly Group: typeof Group;
  readonly module: H5Module;
}

let library: Library | null = null;

/** Makes the HDF5 library ready. Await it once per thread; reading is synchronous afterwards. */
export async function loadHdf5(): Promise<void> {
  if (library) return;
  const { ready, File, Dataset, Group } = await import("h5wasm");
  const module = await ready;
  silence(module);
  library = { File, Dataset, Group, module };
}

/** The library prints each step of its way to an error; we say in our own words what is wrong. */
function silence({ FS }: H5Module): void {
  const files = FS as unknown as {
    getStream(descriptor: number): { stream_ops: Record<string, unknown> };
  };
  const stream = files.getStream(2);
  const write = (_stream: unknown, _buffer: unknown, _offset: number, length: number) => length;
  stream.stream_ops = { ...stream.stream_ops, write };
}

export interface WeightTensor {
  readonly shape: readonly number[];
  readonly values: Float32Array | Float64Array;
}

/** An open HDF5 file, read-only. Paths are relative to its root. */
export interface Hdf5 {
  hasGroup(path: string): boolean;
  /** Names directly in a group; none where there is no such group. */
  names(path: string): readonly string[];
  /** A text attribute, or null. */
  text(path: string, attribute: string): string | null;
  /** An attribute that is a list of texts, also one that was cut into parts `name0`, `name1`, …; or null. */
  texts(path: string, attribute: string): readonly string[] | null;
  /** Null where there is no such dataset. Each call reads it again. */
  tensor(path: string): WeightTensor | null;
}

const path = "/model.h5";

/**
 * Opens an HDF5 file for as long as `read` runs.
 *
 * @throws {AppError} `MODEL_INVALID` for damaged files, and what `read` throws.
 */
export function withHdf5<T>(bytes: Uint8Array, read: (file: Hdf5) => T): T {
  if (!library) throw new Error("loadHdf5() was not awaited");
  const { module, File } = library;
  if (bytes.length > limits.entryBytes) {
    throw fail("MODEL_TOO_COMPLEX", `The weights take ${sizeInWords(BigInt(bytes.length))}.`);
  }
  module.FS.writeFile(path, bytes);
  try {
    const file = new File(path, "r");
    if (file.file_id <= 0n) throw damaged("it is cut off or is no HDF5 file");
    try {
      return read(reader(library, file, bytes.length));
    } finally {
      file.close();
    }
  } finally {
    module.FS.unlink(path);
  }
}

function damaged(what: string) {
  return fail("MODEL_INVALID", `The HDF5 file cannot be read: ${what}.`, {
    hint: "It is likely damaged or an incomplete download: compare its size with the source.",
  });
}

function reader({ Group, Dataset }: Library, file: File, fileBytes: number): Hdf5 {
  /** What the library throws of a damaged file says nothing to a reader. */
  const attempt = <T>(what: string, run: () => T): T => {
    try {
      return run();
    } catch {
      throw damaged(`${what} is damaged`);
    }
  };
  const entityAt = (at: string) =>
    attempt(quoted(at), () => {
      const entity = at === "" ? file : file.get(at);
      return entity instanceof Group || entity instanceof Dataset ? entity : null;
    });
  const attributeOf = (at: string, name: string): unknown => {
    const entity = entityAt(at);
    if (!entity) return null;
    return attempt(`attribute ${quoted(name)}`, () => entity.attrs[name]?.value ?? null);
  };
  const textsOf = (value: unknown): string[] | null => {
    if (!Array.isArray(value)) return null;
    return value.every((each) => typeof each === "string") ? value : null;
  };
  return {
    hasGroup: (at) => entityAt(at) instanceof Group,
    names: (at) => {
      const group = entityAt(at);
      return group instanceof Group ? attempt(quoted(at), () => group.keys()) : [];
    },
    text: (at, name) => {
      const value = attributeOf(at, name);
      return typeof value === "string" ? value : null;
    },
    texts: (at, name) => {
      const whole = attributeOf(at, name);
      // An empty list is stored as numbers of no meaning.
      if (ArrayBuffer.isView(whole)) return [];
      if (whole !== null) return textsOf(whole);
      const parts: string[] = [];
      for (let index = 0; ; index += 1) {
        const part = textsOf(attributeOf(at, `${name}${index}`));
        if (!part) return index === 0 ? null : parts;
        parts.push(...part);
      }
    },
    tensor: (at) => {
      const dataset = entityAt(at);
      if (!(dataset instanceof Dataset)) return null;
      return (
        attempt(`dataset ${quoted(at)}`, () => dataset.metadata) &&
        readTensor(dataset, at, fileBytes, attempt)
      );
    },
  };
}

function readTensor(
  dataset: Dataset,
  at: string,
  fileBytes: number,
  attempt: <T>(what: string, run: () => T) => T,
): WeightTensor {
  const { shape, size } = dataset.metadata;
  if (!shape || shape.length > limits.rank) {
    throw fail("MODEL_WEIGHT_INVALID", `Weight ${quoted(at)} has an impossible shape.`);
  }
  // Multiplied without rounding: dimensions come from outside and their product may pass 2^53.
  const claimed = shape.reduce((product, each) => product * BigInt(each), BigInt(size));
  if (claimed > BigInt(fileBytes)) {
    throw fail(
      "MODEL_WEIGHT_INVALID",
      `Weight ${quoted(at)} claims ${sizeInWords(claimed)} and the file has ${sizeInWords(BigInt(fileBytes))}.`,
      { hint: "The file was damaged, or its weights are compressed; save the model again." },
    );
  }
  const value = attempt(`dataset ${quoted(at)}`, () => dataset.value);
  const values = typeof value === "number" ? Float64Array.of(value) : value;
  if (!(values instanceof Float32Array || values instanceof Float64Array)) {
    throw fail("MODEL_WEIGHT_INVALID", `Weight ${quoted(at)} is not made of 32-bit floats.`, {
      hint: "Save the model in single precision, not quantised.",
    });
  }
  if (values.length !== shape.reduce((product, each) => product * each, 1)) {
    throw damaged(`dataset ${quoted(at)} is damaged`);
  }
  return { shape, values };
}
