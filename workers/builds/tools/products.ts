import {
  closeSync,
  constants,
  createReadStream,
  createWriteStream,
  fstatSync,
  lstatSync,
  openSync,
  type ReadStream,
  readdirSync,
  readFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Digest } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { DigestStream } from "@/lib/server/digest";

/** Largest product that is taken. */
export const maxProductBytes = 256 * 2 ** 20;
/** Largest file that a tool is given. */
const maxInputBytes = 4 * 2 ** 30;
const plainName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/** A file of a work folder that was opened once and judged: the very file that is then read. */
export interface OpenProduct {
  readonly sizeBytes: number;
  readonly descriptor: number;
  close(): void;
}

/**
 * Opens what a tool left behind. Only a regular file directly in the folder, within the cap, is taken: no link of either
 * kind, behind which lies what the tool had no right to, and nothing that reading could wait for.
 *
 * @throws {AppError} `OUTPUT_MISSING`, `OUTPUT_INVALID`.
 */
export function openProduct(work: string, name: string, maxBytes = maxProductBytes): OpenProduct {
  if (!plainName.test(name)) throw fail("OUTPUT_INVALID", "A product has an impossible name.");
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let descriptor: number;
  try {
    descriptor = openSync(join(work, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw missing
      ? fail("OUTPUT_MISSING", `${name} was promised but is not there.`)
      : fail("OUTPUT_INVALID", `${name} cannot be opened as a plain file.`, { cause: error });
  }
  const close = () => closeSync(descriptor);
  const stat = fstatSync(descriptor);
  if (stat.isFile() && stat.nlink === 1 && stat.size <= maxBytes)
    return { sizeBytes: stat.size, descriptor, close };
  close();
  if (!stat.isFile()) throw fail("OUTPUT_INVALID", `${name} is not a plain file.`);
  throw stat.nlink === 1
    ? fail("OUTPUT_INVALID", `${name} has ${stat.size} bytes, which is over ${maxBytes}.`)
    : fail("OUTPUT_INVALID", `${name} is a link to a file that has other names.`);
}

/** The whole product. @throws {AppError} as `openProduct`. */
export function readProduct(work: string, name: string, maxBytes = maxProductBytes): Buffer {
  const product = openProduct(work, name, maxBytes);
  try {
    return readFileSync(product.descriptor);
  } finally {
    product.close();
  }
}

const mostFiles = 100_000;

/**
 * The texts of all files that a tool left in a folder of the work folder, by name in their order.
 *
 * @throws {AppError} as `openProduct`; `OUTPUT_MISSING` where there is no such folder.
 */
export function readFolder(work: string, name: string): Map<string, string> {
  if (!plainName.test(name)) throw fail("OUTPUT_INVALID", "A folder has an impossible name.");
  const folder = join(work, name);
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw fail("OUTPUT_MISSING", `There is no folder ${name}.`);
  }
  const names = readdirSync(folder).sort();
  if (names.length > mostFiles) throw fail("OUTPUT_INVALID", `${name} has ${names.length} files.`);
  let room = maxProductBytes;
  return new Map(
    names.map((each) => {
      const bytes = readProduct(folder, each, room);
      room -= bytes.length;
      return [each, bytes.toString("utf8")];
    }),
  );
}

/** A stream of the product, which closes it. */
export function streamProduct(work: string, name: string, maxBytes?: number): ReadStream {
  const { descriptor } = openProduct(work, name, maxBytes);
  return createReadStream("", { fd: descriptor, start: 0 });
}

/** Digest and size of a product. */
export async function measureProduct(
  work: string,
  name: string,
): Promise<{ digest: Digest; sizeBytes: number }> {
  return await measure(streamProduct(work, name));
}

/** Digest and size of a file that a tool is to read: an earlier one may have left anything under its name. */
export async function measureInput(
  work: string,
  name: string,
): Promise<{ digest: Digest; sizeBytes: number }> {
  return await measure(streamProduct(work, name, maxInputBytes));
}

async function measure(stream: ReadStream): Promise<{ digest: Digest; sizeBytes: number }> {
  const hash = new DigestStream();
  await pipeline(stream, hash.resume());
  return { digest: hash.digest, sizeBytes: hash.sizeBytes };
}

/** Copies a product out of its folder, or one into it; what lay there before is gone, not written to. */
export async function copyProduct(name: string, from: string, to: string): Promise<void> {
  const target = join(to, name);
  await rm(target, { recursive: true, force: true });
  await pipeline(streamProduct(from, name), createWriteStream(target, { flags: "wx" }));
}
