import type { LookupFunction } from "node:net";
import { Readable } from "node:stream";
import { rootCertificates } from "node:tls";
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { fail, isAppError } from "@/lib/common/errors";
import { hexOf } from "@/lib/server/digest";
import { checkedBody } from "./checked-body";
import type { ByteRange, ObjectStore, PutOptions, StoredObject } from "./object-store";
import { settleConflict } from "./settle-conflict";

/** Which S3 service, and the credentials for it. */
export interface S3Options {
  readonly endpoint: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
  /** PEM of a further certificate authority. */
  readonly ca?: string | undefined;
  /** Finds the addresses of its host; left out: the system does. */
  readonly lookup?: LookupFunction | undefined;
}

const nothing = () => {};
/** The client would print to the console; what fails is thrown, and told by whoever catches it. */
const silent = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

/** Bodies up to this size are sent from memory, so that the client can try again by itself. */
const retryableBytes = 1 << 20;

/** A clock that a store's answer moves by more was wrong: stores refuse requests from 15 minutes on. */
const skewMs = 4 * 60_000;

/** Objects in any store that speaks S3, addressed by path. */
export class S3Store implements ObjectStore {
  private readonly client: S3Client;

  constructor({ endpoint, accessKey, secretKey, region, ca, lookup }: S3Options) {
    const found = lookup === undefined ? {} : { lookup };
    const trusted = ca === undefined ? {} : { ca: [...rootCertificates, ca] };
    this.client = new S3Client({
      endpoint,
      region,
      forcePathStyle: true,
      credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
      maxAttempts: 3,
      logger: silent,
      requestHandler: {
        connectionTimeout: 3000,
        socketTimeout: 60_000,
        httpAgent: found,
        httpsAgent: { ...found, ...trusted },
      },
    });
    this.repeatSkewed();
  }

  /**
   * Lets a request be sent again that was refused for its time, when the answer has just told the store's. The client does so
   * itself only while the clock is wrong, and gives up at the moment in which the clock is set right.
   */
  private repeatSkewed(): void {
    const { config, middlewareStack } = this.client;
    middlewareStack.addRelativeTo(
      <Request, Answer>(next: (request: Request) => Promise<Answer>) =>
        async (request: Request) => {
          const offsetMs = config.systemClockOffset;
          try {
            return await next(request);
          } catch (error) {
            const movedMs = Math.abs(config.systemClockOffset - offsetMs);
            if (statusOf(error) === 403 && movedMs > skewMs)
              Object.assign((error as S3ServiceException).$metadata, { clockSkewCorrected: true });
            throw error;
          }
        },
      { name: "repeatSkewed", relation: "after", toMiddleware: "retryMiddleware" },
    );
  }

  /** Lets go of its connections; what is under way on them fails. */
  close(): void {
    this.client.destroy();
  }

  async ensureBucket(bucket: string): Promise<void> {
    try {
      await this.client.send(new CreateBucketCommand({ Bucket: bucket }));
    } catch (error) {
      const name = error instanceof Error ? error.name : "";
      if (name === "BucketAlreadyOwnedByYou" || name === "BucketAlreadyExists") return;
      throw toStorageError(error);
    }
  }

  async put(
    bucket: string,
    key: string,
    body: Readable | Uint8Array,
    options: PutOptions,
  ): Promise<"stored" | "exists"> {
    const checked = checkedBody(body, options);
    const failed = new Promise<never>((_resolve, reject) => checked.once("error", reject));
    failed.catch(() => {});
    try {
      const small = options.sizeBytes <= retryableBytes;
      const send = this.client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: key,
          Body: small ? Buffer.concat(await checked.toArray()) : checked,
          ContentLength: options.sizeBytes,
          ...(options.ifNoneMatch ? { IfNoneMatch: options.ifNoneMatch } : {}),
          ...(options.digest
            ? { ChecksumSHA256: Buffer.from(hexOf(options.digest), "hex").toString("base64") }
            : {}),
        }),
      );
      await Promise.race([send, failed]);
      return "stored";
    } catch (error) {
      // A store that refuses early may just cut the connection: then the object itself tells.
      if (options.ifNoneMatch && (isConflict(error) || (await this.head(bucket, key)) !== null))
        return await settleConflict(this, { bucket, key }, options);
      throw toStorageError(error);
    } finally {
      checked.destroy();
    }
  }

  /** As `ObjectStore` has it. @param signal Ends the wait for a store that accepts and then is silent. */
  async get(
    bucket: string,
    key: string,
    range?: ByteRange,
    signal?: AbortSignal,
  ): Promise<{ stream: Readable; sizeBytes: number }> {
    try {
      const part = range && `bytes=${range.offset}-${range.offset + range.sizeBytes - 1}`;
      const { Body, ContentLength } = await this.client.send(
        new GetObjectCommand({ Bucket: bucket, Key: key, ...(part ? { Range: part } : {}) }),
        signal && { abortSignal: signal },
      );
      if (!(Body instanceof Readable)) throw fail("STORE_UNAVAILABLE", "The store sent no bytes.");
      return { stream: Body, sizeBytes: ContentLength ?? 0 };
    } catch (error) {
      throw toStorageError(error);
    }
  }

  async head(bucket: string, key: string): Promise<{ sizeBytes: number } | null> {
    try {
      const { ContentLength } = await this.client.send(
        new HeadObjectCommand({ Bucket: bucket, Key: key }),
      );
      return { sizeBytes: ContentLength ?? 0 };
    } catch (error) {
      if (isAbsent(error)) return null;
      throw toStorageError(error);
    }
  }

  async delete(bucket: string, key: string): Promise<void> {
    try {
      await this.client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    } catch (error) {
      if (!isAbsent(error)) throw toStorageError(error);
    }
  }

  /** Lists one object at most: what a bucket answers to who may read it. @returns How many were listed. */
  async peek(bucket: string, signal?: AbortSignal): Promise<number> {
    try {
      const command = new ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 });
      const { KeyCount } = await this.client.send(command, signal && { abortSignal: signal });
      return KeyCount ?? 0;
    } catch (error) {
      throw toStorageError(error);
    }
  }

  async *list(bucket: string, prefix = ""): AsyncIterable<StoredObject> {
    let after: string | undefined;
    do {
      const page = await this.page(bucket, prefix, after);
      for (const { Key, Size, LastModified } of page?.Contents ?? []) {
        if (Key) yield { key: Key, sizeBytes: Size ?? 0, modifiedAt: LastModified ?? new Date(0) };
      }
      after = page?.NextContinuationToken;
    } while (after);
  }

  private async page(bucket: string, prefix: string, after: string | undefined) {
    try {
      return await this.client.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: after }),
      );
    } catch (error) {
      if (isAbsent(error)) return null;
      throw toStorageError(error);
    }
  }
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

function isAbsent(error: unknown): boolean {
  return statusOf(error) === 404;
}

/** 412: it is there; 409: somebody puts the same key at this moment. */
function isConflict(error: unknown): boolean {
  const status = statusOf(error);
  return status === 412 || status === 409;
}

function toStorageError(error: unknown): unknown {
  if (isAppError(error)) return error;
  if (isAbsent(error)) return fail("NOT_FOUND", "There is no such object.", { cause: error });
  const status = statusOf(error);
  const skewed = error instanceof Error && error.name === "RequestTimeTooSkewed";
  const away = status === undefined || status === 429 || status >= 500 || skewed;
  return away
    ? fail("STORE_UNAVAILABLE", "The object store cannot be reached just now.", { cause: error })
    : error;
}

/** What a store refused: its own word, such as `NoSuchBucket`, and the HTTP status, of an error of `S3Store`. */
export function refusalOf(error: unknown): {
  readonly code: string | undefined;
  readonly status: number | undefined;
} {
  const said = isAppError(error) ? error.cause : error;
  const code = said instanceof S3ServiceException ? said.name : undefined;
  return { code, status: statusOf(said) };
}
