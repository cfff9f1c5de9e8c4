import type { Action, Caller, Service } from "../core";
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
      try {
        const { names, answer } = read(request);
        model = names?.model ?? null;
        const permitted = this.permit(call, action, model);
        const caller = permitted instanceof Promise ? await permitted : permitted;
        call.end(await answer({ service: this.service, call, caller, reservation }));
      } catch (thrown) {
        code = call.fail(thrown);
      }
      this.count(rpc, model, code, startMs);
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
        }),
    };
  }

  private permit(
    { headers, socket }: GrpcCall,
    action: Action | null,
    model: string | null,
  ): Caller | Promise<Caller> {
    const authorization = headers["authorization"];
    return this.service.access.check({ authorization, socket }, action, model);
  }

  private count(rpc: string, model: string | null, code: number, startMs: number): void {
    const seconds = (performance.now() - startMs) / 1000;
    this.service.meter.countGrpc({ rpc, model, code, seconds });
  }
}
