import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type AppError, fail, httpStatusOf } from "@/lib/common/errors";
import { portalAskerHeader } from "@/lib/server/auth";
import { clientOf, OriginGuard, provenanceOf } from "@/lib/server/http";
import { type Asking, chooseReady, type Service } from "../core";
import type { Asked } from "../traffic";
import { type Answer, type ErrorExtras, errorAnswer, sendError } from "./answers";
import { createCors } from "./cors";
import { answerRoute, handlerOf } from "./handlers";
import { inferAnswer } from "./infer";
import { parseRoute, type Route } from "./parse-route";
import type { PlainAnswerer, PlainCall, PlainHead, PlainRoute } from "./plain";

/** What the HTTP front answers from, and for whom. */
export interface DispatcherOptions {
  readonly service: Service;
  readonly allowedHosts: readonly string[];
  readonly portalUrl: string;
  readonly corsOrigins: readonly string[];
  readonly basePath: string;
  readonly maxBodyBytes: number;
}

type KnownRoute = Exclude<Route, { kind: "unsupported" }>;

/** How a request ended. */
interface End {
  readonly route: Route | null;
  readonly seconds: number;
  readonly asked?: Asked | null;
  readonly fault?: AppError | null;
}

/** Who answers a request: finds its route, asks who may take it, hands it on, and counts it. */
export class Dispatcher implements PlainAnswerer {
  private readonly options: DispatcherOptions;
  private readonly cors: ReturnType<typeof createCors>;
  private readonly guard: OriginGuard;

  constructor(options: DispatcherOptions) {
    this.options = options;
    this.cors = createCors(options.corsOrigins);
    this.guard = new OriginGuard({
      known: [...options.allowedHosts, ...this.cors.hosts],
      opensReads: false,
    });
  }

  /** Answers what the guard of all servers takes no further. */
  refuseUnread(request: IncomingMessage, response: ServerResponse, fault: AppError): void {
    const headers = { connection: "close" };
    request.resume();
    sendError(request, response, fault, { requestId: randomUUID(), headers });
    this.count(request, response.statusCode, { route: null, seconds: 0 });
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const start = performance.now();
    let route: KnownRoute | null = null;
    let asked: Asked | null = null;
    let fault: AppError | null = null;
    try {
      if (this.cors.answer(request, response)) return;
      route = this.find(request);
      if (this.options.service.readiness.draining) response.setHeader("connection", "close");
      asked = this.begin(route);
      await this.handOn(route, asked, request, response);
    } catch (thrown) {
      fault = sendError(request, response, thrown, this.extrasOf(route, asked));
      response.statusCode = httpStatusOf(fault);
    }
    const seconds = (performance.now() - start) / 1000;
    this.count(request, response.statusCode, { route, seconds, asked, fault });
  }

  /** What a plain POST asks for, if it is an inference that its page or program may ask for; null: `answer` says what is wrong. */
  plainRouteOf({ target, headers }: PlainHead): PlainRoute | null {
    try {
      const route = this.find({ url: target, method: "POST", headers });
      return isInference(route) ? route : null;
    } catch {
      return null;
    }
  }

  /** Answers an inference whose body is here. It never rejects: what goes wrong is an answer. */
  async answerPlain(call: PlainCall): Promise<Answer> {
    const startMs = performance.now();
    const { route, headers, socket, client, body, reservation, life } = call;
    const { service } = this.options;
    const { model, version } = route;
    const asked = this.begin(route);
    let leave: (() => void) | null = null;
    let answer: Answer;
    let fault: AppError | null = null;
    try {
      if (call.refusal !== undefined) throw call.refusal;
      const permitted = service.access.check(askingOf(headers, socket), "use", model);
      const caller = permitted instanceof Promise ? await permitted : permitted;
      leave = service.inFlight.enter(`${caller.id} ${client}`);
      const revision = chooseReady(service, route, asked);
      const question = { headers, model, version, revision, service, caller, reservation, asked };
      answer = await inferAnswer(question, body, { life, startMs });
    } catch (thrown) {
      ({ error: fault, answer } = errorAnswer(thrown, this.extrasOf(route, asked)));
    }
    leave?.();
    const seconds = (performance.now() - startMs) / 1000;
    this.count({ method: "POST" }, answer.status, { route, seconds, asked, fault });
    return answer;
  }

  private find(request: Pick<IncomingMessage, "url" | "method" | "headers">): KnownRoute {
    const { url: target = "", method = "" } = request;
    const refusal = this.guard.refusalOf(provenanceOf(request));
    if (refusal) throw refusal;
    const route = parseRoute(target, this.options.basePath);
    if (!route) throw fail("NOT_FOUND", "Not Found");
    if (route.kind === "unsupported") {
      throw fail("EXTENSION_UNSUPPORTED", "this extension of the protocol is not supported");
    }
    const { methods } = handlerOf(route);
    if (!methods.includes(method)) {
      throw fail("METHOD_NOT_ALLOWED", "Method Not Allowed", {
        details: { allow: methods.join(", ") },
      });
    }
    return route;
  }

  /** Of an inference, what its endpoint's traffic counts. */
  private begin(route: KnownRoute): Asked | null {
    const { traffic } = this.options.service;
    if (!traffic) return null;
    if (route.kind === "infer") return traffic.begin(route.model, "http");
    return route.kind === "v1Predict" ? traffic.begin(route.model, "v1") : null;
  }

  private async handOn(
    route: KnownRoute,
    asked: Asked | null,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { service, maxBodyBytes, portalUrl } = this.options;
    const { socket } = request;
    const { action } = handlerOf(route);
    const asking = askingOf(request.headers, socket);
    const permitted = service.access.check(asking, action, modelOf(route));
    const caller = permitted instanceof Promise ? await permitted : permitted;
    const reservation = service.budget.open(clientOf(socket.remoteAddress));
    response.once("close", () => reservation.close());
    await answerRoute(route, {
      request,
      headers: request.headers,
      reservation,
      response,
      service,
      caller,
      asked,
      maxBodyBytes,
      portalUrl,
    });
  }

  private count({ method = "" }: Pick<IncomingMessage, "method">, status: number, end: End): void {
    const { route, seconds, asked = null, fault = null } = end;
    const { meter, traffic } = this.options.service;
    meter.countHttp({
      route: route?.kind ?? "none",
      model: modelOf(route),
      method,
      status,
      seconds,
    });
    if (asked) traffic?.end(asked, { status, error: fault, seconds });
  }

  /** What the answer to an error holds besides it. A request that gave itself no id is counted under the answer's. */
  private extrasOf(route: Route | null, asked: Asked | null): ErrorExtras {
    const requestId = randomUUID();
    if (asked && asked.requestId === "") asked.requestId = requestId;
    return { requestId, headers: this.retryAfter(route), body: extraBody(route) };
  }

  private retryAfter(route: Route | null): Record<string, string> {
    const model = modelOf(route);
    const mayComeBack = model !== null && this.options.service.routes.mayComeBack(model);
    return mayComeBack ? { "retry-after": "2" } : {};
  }
}

function askingOf(headers: IncomingHttpHeaders, socket: Socket): Asking {
  const { authorization, [portalAskerHeader]: asker } = headers;
  return { authorization, socket, asker: typeof asker === "string" ? asker : undefined };
}

const isInference = (route: KnownRoute): route is PlainRoute => route.kind === "infer";

/** What probes of readiness read beside the error. */
function extraBody(route: Route | null): Record<string, unknown> {
  if (route?.kind === "ready") return { ready: false, live: true };
  if (route?.kind === "modelReady" || route?.kind === "v1Model")
    return { name: route.model, ready: false };
  return {};
}

function modelOf(route: Route | null): string | null {
  return route && "model" in route ? route.model : null;
}
