import type { Socket } from "node:net";
import { type AppError, fail } from "@/lib/common/errors";
import { sayLast } from "@/lib/server/http";
import type { Service } from "../../core";
import { PlainConnection } from "./plain-connection";
import type { PlainAnswerer, PlainHost, PlainLimits } from "./plain-host";

/** What the lane works for. */
interface PlainLaneOptions {
  readonly answerer: PlainAnswerer;
  readonly service: Pick<Service, "budget" | "meter" | "readiness">;
  readonly limits: PlainLimits;
  /** The body of a refusal where there is no request to answer. */
  readonly bodyOf: (error: AppError) => unknown;
}

/**
 * Takes the connections of a server before Node's parser does. Inferences that need nothing but their body, nearly all there are,
 * are read, answered and written here, at about half of what Node's request, response and streams cost; whatever else comes makes
 * the connection Node's. It changes nothing of what clients see.
 */
export class PlainLane implements PlainHost {
  readonly limits: PlainLimits;
  readonly answerer: PlainAnswerer;
  readonly budget: Service["budget"];
  private readonly options: PlainLaneOptions;
  private readonly connections = new Set<PlainConnection>();
  private readonly timer: NodeJS.Timeout;

  constructor(options: PlainLaneOptions) {
    this.options = options;
    this.answerer = options.answerer;
    this.limits = options.limits;
    this.budget = options.service.budget;
    this.timer = setInterval(() => this.look(), this.limits.checkMs);
    this.timer.unref();
  }

  get isDraining(): boolean {
    return this.options.service.readiness.draining;
  }

  /** Takes a connection that was just accepted. @param toNode Makes Node's parser go on with it. */
  take(socket: Socket, toNode: (socket: Socket) => void): void {
    this.connections.add(new PlainConnection(socket, this, toNode));
  }

  /** Closes connections on which nothing is under way. */
  closeIdle(): void {
    for (const each of this.connections) each.closeIfIdle();
  }

  /** Closes all of them. */
  closeAll(): void {
    for (const each of this.connections) each.close();
  }

  /** Looks after nothing any more. */
  stop(): void {
    clearInterval(this.timer);
  }

  forget(connection: PlainConnection): void {
    this.connections.delete(connection);
  }

  cutSlow(socket: Socket): void {
    const { service, bodyOf } = this.options;
    service.meter.countCut("http", "slow");
    sayLast(socket, fail("REQUEST_TIMED_OUT", "The request came too slowly."), bodyOf);
  }

  private look(): void {
    const nowMs = performance.now();
    for (const each of this.connections) each.look(nowMs);
  }
}
