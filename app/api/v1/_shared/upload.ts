import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import type { Digest } from "@/lib/common/contract";
import { fail, isAppError } from "@/lib/common/errors";
import { cutText, showText } from "@/lib/common/text";
import { DigestStream } from "@/lib/server/digest";
import { makeTemporaryFolder } from "@/lib/server/process";

export interface Upload {
  /** A file that is gone once `close` was called. */
  readonly path: string;
  readonly name: string;
  readonly digest: Digest;
  readonly sizeBytes: number;
  close(): Promise<void>;
}

/** The largest model file that is taken. */
const modelLimitBytes = 512 << 20;

export interface UploadLimit {
  readonly limitBytes?: number;
  /** What it is, for messages. */
  readonly what?: string;
}

/** What may stand around the file: boundaries, and the other fields. */
const besideBytes = 64 * 1024;

/**
 * Receives the field `file` of a multipart body into a temporary file, hashing on the way; memory stays flat.
 *
 * @throws {AppError} `UNSUPPORTED_MEDIA_TYPE`, `BODY_TOO_LARGE`, `VALIDATION`
 */
export async function receiveUpload(
  request: Request,
  { limitBytes = modelLimitBytes, what = "A model file" }: UploadLimit = {},
): Promise<Upload> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\s*;/i.test(type) || !request.body)
    throw fail("UNSUPPORTED_MEDIA_TYPE", "This route takes multipart/form-data with a file.", {
      hint: "Send it as a form: `curl -F file=@model.onnx ADDRESS`.",
    });
  // A body that is given up halfway takes the connection with it, and the refusal: most say beforehand how large they are.
  const promised = Number(request.headers.get("content-length") ?? 0);
  if (promised > limitBytes + besideBytes) throw tooLarge(what, limitBytes);
  const folder = makeTemporaryFolder("upload");
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    const body = Readable.fromWeb(request.body as Parameters<typeof Readable.fromWeb>[0]);
    return {
      ...(await receive(body, type, { target: path.join(folder, "model"), limitBytes, what })),
      close,
    };
  } catch (error) {
    await close();
    if (isAppError(error)) throw error;
    throw fail("VALIDATION", "The multipart body is broken.", { field: "file", cause: error });
  }
}

async function receive(
  body: Readable,
  contentType: string,
  { target, limitBytes, what }: Required<UploadLimit> & { readonly target: string },
): Promise<Omit<Upload, "close">> {
  const parser = new Busboy({
    headers: { "content-type": contentType },
    limits: { files: 1, fields: 8, parts: 9, fileSize: limitBytes, fieldSize: 1024 },
  });
  let received: Promise<Omit<Upload, "close">> | undefined;
  parser.on("file", (field, file, filename) => {
    if (field !== "file" || received) return void file.resume();
    const hashed = new DigestStream();
    received = pipeline(file, hashed, createWriteStream(target, { flags: "wx" })).then(() => {
      if (file.truncated) throw tooLarge(what, limitBytes);
      const name = displayName(filename);
      return { path: target, name, digest: hashed.digest, sizeBytes: hashed.sizeBytes };
    });
    received.catch(() => body.destroy());
  });
  await pipeline(body, parser).catch((error: unknown) => {
    if (!received) throw error;
    // What broke the file itself is the better news; else the body ended early.
    return received.then(() => {
      throw error;
    });
  });
  if (!received) throw fail("VALIDATION", "The body has no file.", { field: "file" });
  const upload = await received;
  if (upload.sizeBytes === 0) throw fail("MODEL_EMPTY", "The file is empty.", { field: "file" });
  return upload;
}

const tooLarge = (what: string, limitBytes: number) =>
  fail("BODY_TOO_LARGE", `${what} has at most ${limitBytes >> 20} MiB.`, { field: "file" });

/** The last part of a file's name, for people to recognise: nothing unseen, at most 200 characters. */
function displayName(filename: string): string {
  const last = filename.split(/[\\/]/).at(-1) ?? "";
  return cutText(showText(last), 200) || "model";
}
