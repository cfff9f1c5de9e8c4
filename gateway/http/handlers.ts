import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { fail } from "@/lib/common/errors";
import { isRecord } from "@/lib/common/records";
import {
  type Action,
  type Caller,
  checkReachable,
  chooseReady,
  modelConfig,
  type Service,
  serverMetadata,
} from "../core";
import type { Reservation } from "../intake";
import type { Asked } from "../traffic";
import { sendJson } from "./answers";
import { readBody } from "./body";
import { answerInfer } from "./infer";
import { modelMetadata } from "./metadata";
import type { FixedKind, ModelKind, Route } from "./parse-route";
import { recentBody, statisticsBody } from "./statistics";
import { answerPredict } from "./v1";

/** One request whose route was found and whose caller may do it. */
export interface RouteCall {
  readonly request: IncomingMessage;
  readonly headers: IncomingHttpHeaders;
  readonly response: ServerResponse;
  readonly service: Service;
  readonly caller: Caller;
  /** What is counted of it; null: nothing. */
  readonly asked: Asked | null;
  readonly maxBodyBytes: number;
  /** What the request holds in memory, until its answer has left. */
  readonly reservation: Reservation;
  /** Where people are sent who open `/` in a browser. */
  readonly portalUrl: string;
}

/** The model that the path names. */
export interface ModelCall extends RouteCall {
  readonly model: string;
  readonly version: string | null;
}

interface Handler<Call> {
  readonly methods: readonly string[];
  /** What the caller must be allowed; null: anybody may ask. */
  readonly action: Action | null;
  answer(call: Call): void | Promise<void>;
}

const get = <Call>(answer: Handler<Call>["answer"]): Handler<Call> => ({
  methods: ["GET", "HEAD"],
  action: "use",
  answer,
});
/** Probes ask without a token. */
const probe = <Call>(answer: Handler<Call>["answer"]): Handler<Call> => ({
  ...get(answer),
  action: null,
});
const post = <Call>(answer: Handler<Call>["answer"]): Handler<Call> => ({
  methods: ["POST"],
  action: "use",
  answer,
});
const control = <Call>(answer: Handler<Call>["answer"]): Handler<Call> => ({
  ...post(answer),
  action: "control",
});
const jsonLimit = 1024 * 1024;

/** Answers to routes that name no model. */
export const fixedHandlers: Readonly<Record<FixedKind, Handler<RouteCall>>> = {
  root: get(({ request, response, portalUrl }) => {
    if (request.headers.accept?.includes("text/html")) {
      response.writeHead(302, { location: portalUrl, vary: "Accept", "content-length": 0 });
      response.end();
    } else sendJson(response, 200, { status: "alive" }, { vary: "Accept" });
  }),
  live: probe(({ response }) => sendJson(response, 200, { live: true })),
  ready: probe(({ response, service }) => {
    service.readiness.check();
    sendJson(response, 200, { live: true, ready: true });
  }),
  server: get(({ response, service }) => sendJson(response, 200, serverMetadata(service.version))),
  models: get(answerNames),
  v1Models: get(answerNames),
  statistics: get(({ response, service, caller }) => {
    const seen = service.statistics.all.filter(({ model }) => caller.may("use", model));
    sendJson(response, 200, statisticsBody(seen));
  }),
  repositoryIndex: post(async ({ request, response, service, caller, reservation }) => {
    const body = await readJson(request, reservation);
    const list = service.repository.index(body["ready"] === true);
    sendJson(
      response,
      200,
      list.filter(({ name }) => caller.may("use", name)),
    );
  }),
};

/** Answers to routes of one model. */
export const modelHandlers: Readonly<Record<ModelKind, Handler<ModelCall>>> = {
  modelMetadata: get(({ response, service, model, version }) => {
    const revision = chosen(service, model, version);
    const versions = version === null ? service.routes.readyVersions(model) : [version];
    sendJson(response, 200, modelMetadata(model, revision, versions));
  }),
  modelReady: get(answerReady),
  v1Model: get(answerReady),
  modelConfig: get(({ response, service, model, version }) =>
    sendJson(response, 200, modelConfig(model, chosen(service, model, version))),
  ),
  modelStatistics: get(({ request, response, service, model, version }) => {
    const revision = chosen(service, model, version);
    const versions = version === null ? service.routes.readyVersions(model) : [revision.version];
    const list = versions.map((each) => service.statistics.of(model, each));
    const isDetailed = request.url?.endsWith("?recent=true") ?? false;
    sendJson(response, 200, isDetailed ? recentBody(list) : statisticsBody(list));
  }),
  infer: post((call) => answerInfer(readyCall(call))),
  v1Predict: post((call) => answerPredict(readyCall(call))),
  repositoryLoad: control(async ({ request, response, service, model, reservation }) => {
    await readJson(request, reservation);
    await service.repository.load(model);
    sendJson(response, 200, { name: model, load: true });
  }),
  repositoryUnload: control(async ({ request, response, service, model, reservation }) => {
    await readJson(request, reservation);
    await service.repository.unload(model);
    sendJson(response, 200, { name: model, unload: true });
  }),
};

/** The methods of a route, and what its callers must be allowed. */
export function handlerOf(route: Exclude<Route, { kind: "unsupported" }>) {
  return "model" in route ? modelHandlers[route.kind] : fixedHandlers[route.kind];
}

/** Hands a call to what answers its route; whatever that throws is the caller's to tell. */
export function answerRoute(
  route: Exclude<Route, { kind: "unsupported" }>,
  call: RouteCall,
): void | Promise<void> {
  if (!("model" in route)) return fixedHandlers[route.kind].answer(call);
  const { model, version } = route;
  return modelHandlers[route.kind].answer(Object.assign(call, { model, version }));
}

function answerReady({ response, service, model, version }: ModelCall): void {
  checkReachable(model, chosen(service, model, version));
  sendJson(response, 200, { name: model, ready: true });
}

function chosen({ readiness, routes }: Service, model: string, version: string | null) {
  readiness.checkRoutes();
  return routes.choose(model, version);
}

const readyCall = (call: ModelCall) =>
  Object.assign(call, { revision: chooseReady(call.service, call, call.asked) });

/** A small JSON object; an absent body is an empty one. */
async function readJson(
  request: IncomingMessage,
  reservation: Reservation,
): Promise<Record<string, unknown>> {
  const body = await readBody(request, { maxBytes: jsonLimit, reservation });
  if (body.length === 0) return {};
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    if (isRecord(value)) return value;
  } catch {
    // Told below.
  }
  throw fail("INFER_INVALID", "the request body is not a JSON object");
}

/** Names of the models that the caller may use. */
function answerNames({ response, service, caller }: RouteCall): void {
  const models = service.routes.names.filter((name) => caller.may("use", name));
  sendJson(response, 200, { models });
}
