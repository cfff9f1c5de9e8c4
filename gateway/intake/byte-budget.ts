import { fail } from "@/lib/common/errors";
import { Tally } from "@/lib/common/tally";

/** How much memory requests may take up before they are refused. */
export interface BudgetLimits {
  /** Bytes that the bodies, messages and answers of all clients may hold at a time. */
  readonly totalBytes: number;
  /** Of them, those of one client. */
  readonly clientBytes: number;
}

/** 1 GiB for all clients, half of it for one. */
export const defaultBudget: BudgetLimits = { totalBytes: 2 ** 30, clientBytes: 2 ** 29 };

/** A request that holds no more than this is a small one. */
const smallBytes = 64 * 1024;
/** Part of each limit that is kept for small requests, so that large ones never shut them out. */
const keptForSmall = 1 / 8;

/**
 * What requests hold in memory, counted in one place for HTTP, gRPC and the queue: from the first byte of a body until the
 * last one of the answer has left. It counts what has come, never what was announced.
 */
export class ByteBudget {
  private readonly limits: BudgetLimits;
  private readonly heldBy = new Tally();
  private held = 0;

  constructor(limits: BudgetLimits = defaultBudget) {
    this.limits = limits;
  }

  get heldBytes(): number {
    return this.held;
  }

  /** The account of one request of a client; it holds nothing yet. */
  open(client: string): Reservation {
    return new Reservation(this, client);
  }

  /** Called by reservations alone. @throws {AppError} `RATE_LIMITED`, `MEMORY_FULL`; then nothing was taken. */
  take(client: string, bytes: number, isSmall: boolean): void {
    const share = isSmall ? 1 : 1 - keptForSmall;
    const own = this.heldBy.of(client) + bytes;
    const { clientBytes, totalBytes } = this.limits;
    if (own > clientBytes * share) {
      throw fail(
        "RATE_LIMITED",
        `requests of this client hold ${mebibytes(own - bytes)} MiB already; wait for some of their answers`,
      );
    }
    if (this.held + bytes > totalBytes * share) {
      throw fail(
        "MEMORY_FULL",
        `requests hold ${mebibytes(this.held)} MiB already, as much as this server gives them; try again soon`,
      );
    }
    this.held += bytes;
    this.heldBy.add(client, bytes);
  }

  give(client: string, bytes: number): void {
    this.held -= bytes;
    this.heldBy.add(client, -bytes);
  }
}

const mebibytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

/** What one request holds. */
export class Reservation {
  private readonly budget: ByteBudget;
  private readonly client: string;
  private bytes = 0;
  private closed = false;

  constructor(budget: ByteBudget, client: string) {
    this.budget = budget;
    this.client = client;
  }

  /** Holds more, or less where `bytes` is negative. @throws {AppError} `RATE_LIMITED`, `MEMORY_FULL` */
  add(bytes: number): void {
    if (this.closed) return;
    if (bytes > 0) this.budget.take(this.client, bytes, this.bytes + bytes <= smallBytes);
    else this.budget.give(this.client, -bytes);
    this.bytes += bytes;
  }

  /** Holds what is there already, however much that is: who comes next finds less. */
  addAnyway(bytes: number): void {
    if (this.closed) return;
    this.budget.give(this.client, -bytes);
    this.bytes += bytes;
  }

  /** Holds nothing from now on, whatever is still added. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    if (this.bytes > 0) this.budget.give(this.client, this.bytes);
    this.bytes = 0;
  }
}
