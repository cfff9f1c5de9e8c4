import { type AppError, httpStatusOf, toAppError } from "@/lib/common/errors";
import { portalAskerHeader } from "@/lib/server/auth";
import type { Action, Caller, Service } from "../core";
import type { Asked } from "../traffic";
import type { Handler } from "./rpc";
import { answerStream } from "./stream";
import type { GrpcCall } from "./wire/call";
import type { Method } from "./wire/server";

/** Who answers a call: reads it, asks who may make it, hands it on, and counts it. */
export class Dispatcher {
  private readonly service: Service;

  constructor(service: Service) {
    this.service = service;
  }

  unary(rpc: string, { action, read }: Handler): Method {
    const answer: Extract<Method, { kind: "unary" }>["answer"] = async (asked) => {
      const { call, request, reservation } = asked;
      const startMs = performance.now();
      let model: string | null = null;
      let code = 0;
      let counted: Asked | null = null;
      let fault: AppError | null = null;
      try {
        const { names, answer } = read(request);
        model = names?.model ?? null;
        if (rpc === "ModelInfer" && model !== null) counted = this.begin(model);
        const permitted = this.permit(call, action, model);
        const caller = permitted instanceof Promise ? await permitted : permitted;
        const { service } = this;
        call.end(await answer({ service, call, caller, reservation, asked: counted }));
      } catch (thrown) {
        fault = toAppError(thrown);
        code = call.fail(thrown);
      }
      this.count(rpc, model, code, startMs);
      if (counted) this.end(counted, fault, startMs);
    };
    return { kind: "unary", answer };
  }

  /** Each message of a stream of inferences is asked, answered and counted by itself. */
  inferStream(rpc: string): Method {
    return {
      kind: "stream",
      answer: (stream) =>
        answerStream(this.service, stream, {
          permit: (model) => this.permit(stream.call, "use", model),
          count: (model, code, startMs) => this.count(rpc, model, code, startMs),
          begin: (model) => this.begin(model),
          end: (asked, fault, startMs) => this.end(asked, fault, startMs),
        }),
    };
  }

  private begin(model: string): Asked | null {
    return this.service.traffic?.begin(model, "grpc") ?? null;
  }

  private end(asked: Asked, error: AppError | null, startMs: number): void {
    const seconds = (performance.now() - startMs) / 1000;
    const status = error === null ? 200 : httpStatusOf(error);
    this.service.traffic?.end(asked, { status, error, seconds });
  }

  private permit(
    { headers, socket }: GrpcCall,
    action: Action | null,
    model: string | null,
  ): Caller | Promise<Caller> {
    const authorization = headers["authorization"];
    const asker = headers[portalAskerHeader];
    return this.service.access.check({ authorization, socket, asker }, action, model);
  }

  private count(rpc: string, model: string | null, code: number, startMs: number): void {
    const seconds = (performance.now() - startMs) / 1000;
    this.service.meter.countGrpc({ rpc, model, code, seconds });
  }
}
