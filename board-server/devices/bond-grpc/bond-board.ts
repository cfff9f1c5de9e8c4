import { create, toBinary } from "@bufbuild/protobuf";
import { type BondArch, firmwareNameSchema } from "@/lib/common/bond";
import { AppError, fail } from "@/lib/common/errors";
import { cutText, showText } from "@/lib/common/text";
import { GrpcClient } from "@/lib/server/grpc";
import {
  bondPaths,
  InputRequestSchema,
  LoadRequestSchema,
  type Outcome,
  readOutcome,
} from "@/proto/bond";

/** How long a board may take, milliseconds: it fetches and programs a firmware while it loads. */
export interface BondLimits {
  readonly loadMs: number;
  readonly predictMs: number;
}

/** What a board of the original is given where nothing is said. */
export const defaultBondLimits: BondLimits = { loadMs: 120_000, predictMs: 30_000 };

/** An answer of 4,096 rows has a tenth of it. */
const maxAnswerBytes = 1024 * 1024;
const longestWords = 300;

/** A question that a board answers by an empty list once something is loaded, and refuses before. */
const nothing = '{"inputs":[]}';

/** A board that speaks the original's contract. It has one firmware and one state for all callers: calls go one by one. */
export class BondBoard {
  readonly address: string;
  private readonly limits: BondLimits;
  private readonly client: GrpcClient;
  private last: Promise<unknown> = Promise.resolve();

  constructor(address: string, limits: BondLimits = defaultBondLimits) {
    this.address = address;
    this.limits = limits;
    this.client = new GrpcClient(address);
  }

  /**
   * Finds out whether such a server answers at all, without a change of what it holds.
   *
   * @throws {AppError} `LINK_FAILED`, `DEADLINE_EXCEEDED`, `DEVICE_MISMATCH`
   */
  async reach(): Promise<void> {
    await this.ask(nothing);
  }

  /**
   * Loads a firmware of the board's own store.
   *
   * @throws {AppError} `DEVICE_FAILED` in the board's words; as `reach`; `UPSTREAM_MISMATCH`
   */
  async load({ name, arch }: { readonly name: string; readonly arch: BondArch }): Promise<void> {
    const bitfileName = firmwareNameSchema.parse(name);
    const message = toBinary(LoadRequestSchema, create(LoadRequestSchema, { bitfileName, arch }));
    const { success, text } = await this.call(bondPaths.load, message, this.limits.loadMs);
    if (success) return;
    // Its own word is final: asking again changes nothing.
    throw new AppError(
      "failed_precondition",
      `${this.address} does not load ${name}: ${wordsOf(text)}`,
      {
        reason: "DEVICE_FAILED",
        hint: `See that ${name}.bit, ${name}.hwh and ${name}.json lie in the store that the board reads.`,
      },
    );
  }

  /**
   * The JSON text that answers a question.
   *
   * @throws {AppError} `DEVICE_FAILED` in the board's words; as `reach`; `UPSTREAM_MISMATCH`
   */
  async predict(question: string): Promise<string> {
    const { success, text } = await this.ask(question);
    if (success) return text;
    throw fail("DEVICE_FAILED", `${this.address} does not predict: ${wordsOf(text)}`, {
      hint: "See that its firmware is the one that its metadata describes, and look at the board's log.",
    });
  }

  /** Whether it has something loaded. @throws {AppError} As `reach`. */
  async isLoaded(): Promise<boolean> {
    return (await this.ask(nothing)).success;
  }

  close(): void {
    this.client.close();
  }

  private ask(inputs: string): Promise<Outcome> {
    const message = toBinary(InputRequestSchema, create(InputRequestSchema, { inputs }));
    return this.call(bondPaths.predict, message, this.limits.predictMs);
  }

  private async call(path: string, message: Uint8Array, timeoutMs: number): Promise<Outcome> {
    const run = async (): Promise<Outcome> => {
      const call = { path, message, timeoutMs, maxBytes: maxAnswerBytes };
      const bytes = await this.client.unary(call);
      try {
        return readOutcome(bytes);
      } catch (cause) {
        throw fail("UPSTREAM_MISMATCH", `${this.address} answers with a message of another type.`, {
          cause,
          hint: "Another kind of gRPC server answers there.",
        });
      }
    };
    const mine = this.last.then(run, run);
    this.last = mine.catch(() => {});
    return await mine;
  }
}

const wordsOf = (text: string): string =>
  showText(cutText(text, longestWords)) || "it does not say why";
