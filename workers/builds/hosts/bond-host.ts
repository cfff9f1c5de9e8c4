import { create, toBinary } from "@bufbuild/protobuf";
import type { HostSource, HostStep } from "@/engines";
import type { Digest } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { cutText } from "@/lib/common/text";
import { GrpcClient } from "@/lib/server/grpc";
import { BuildFirmwareRequestSchema, bondPaths, type Outcome, readOutcome } from "@/proto/bond";
import { type FetchOptions, fetchSource } from "../../fetch";

/** Where a build server of the original system is, and the store that it reads from and writes to. */
export interface BondHostPlace {
  /** `host:port` of its gRPC. */
  readonly address: string;
  /** Of the store: `http://host:9000`. */
  readonly storeUrl: string;
}

/** With what files are fetched. */
type Fetching = Pick<FetchOptions, "storage" | "settings">;

const bounds = { messageBytes: 64 * 1024, messages: 10_000, shownCharacters: 4096 } as const;
const partBytes = { bit: 256 * 2 ** 20, hwh: 16 * 2 ** 20, json: 2 ** 20 } as const;
const sourceBytes = 512 * 2 ** 20;
/** A store that is away is asked again for so long. */
const patienceMs = 60_000;
/** Where the original keeps what it made. */
const madeBucket = "fpga-models";

/** A build server of BondMachine's original system, with its store. */
export class BondHost {
  readonly place: BondHostPlace;
  private readonly fetching: Fetching;

  constructor(place: BondHostPlace, fetching: Fetching) {
    this.place = place;
    this.fetching = fetching;
  }

  /**
   * Has it make a firmware.
   *
   * @param heard Called with each thing that it says, as it says it.
   * @throws {AppError} As `GrpcClient.stream`.
   */
  async build(
    asked: HostStep["asked"],
    options: {
      readonly signal: AbortSignal;
      readonly timeoutMs: number;
      readonly heard: (said: Outcome) => void;
    },
  ): Promise<void> {
    const client = new GrpcClient(this.place.address);
    try {
      await client.stream({
        path: bondPaths.buildFirmware,
        message: toBinary(
          BuildFirmwareRequestSchema,
          create(BuildFirmwareRequestSchema, { ...asked }),
        ),
        signal: options.signal,
        timeoutMs: options.timeoutMs,
        maxBytes: bounds.messageBytes,
        maxMessages: bounds.messages,
        onMessage: (bytes) => options.heard(this.read(bytes)),
      });
    } finally {
      client.close();
    }
  }

  /**
   * Digest of a file that it reads.
   *
   * @param path A new file.
   * @throws {AppError} As `fetchSource`.
   */
  async fetchNetwork(
    { bucket, name }: HostSource,
    fetching: { readonly path: string; readonly signal: AbortSignal },
  ): Promise<Digest> {
    const { digest } = await this.fetch(`${bucket}/${name}`, {
      ...fetching,
      limitBytes: sourceBytes,
    });
    return digest;
  }

  /**
   * Fetches one of the files of a firmware that it made.
   *
   * @param name Of the firmware, without an ending.
   * @throws {AppError} As `fetchSource`.
   */
  async fetchPart(
    name: string,
    part: keyof typeof partBytes,
    fetching: { readonly path: string; readonly signal: AbortSignal },
  ): Promise<void> {
    const limitBytes = partBytes[part];
    await this.fetch(`${madeBucket}/${name}.${part}`, { ...fetching, limitBytes });
  }

  private async fetch(
    key: string,
    fetching: { readonly path: string; readonly signal: AbortSignal; readonly limitBytes: number },
  ) {
    const url = new URL(key, `${this.place.storeUrl.replace(/\/$/, "")}/`);
    return await fetchSource(url.href, {
      ...fetching,
      ...this.fetching,
      // What it serves is its own: nothing of ours is read for it.
      projectId: null,
      retryForMs: patienceMs,
    });
  }

  private read(bytes: Uint8Array): Outcome {
    try {
      const { success, text } = readOutcome(bytes);
      return { success, text: cutText(text, bounds.shownCharacters) };
    } catch (cause) {
      throw fail("UPSTREAM_MISMATCH", `${this.place.address} sends messages of another type.`, {
        cause,
        hint: "Another kind of gRPC server answers there.",
      });
    }
  }
}
