import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { fail, isAppError } from "@/lib/common/errors";
import {
  ModelConfigRequestSchema,
  ModelConfigResponseSchema,
  ModelMetadataRequestSchema,
  ModelMetadataResponseSchema,
  ModelReadyRequestSchema,
  ModelReadyResponseSchema,
  ModelStatisticsRequestSchema,
  ModelStatisticsResponseSchema,
  RepositoryIndexRequestSchema,
  RepositoryIndexResponseSchema,
  RepositoryModelLoadRequestSchema,
  RepositoryModelLoadResponseSchema,
  RepositoryModelUnloadRequestSchema,
  RepositoryModelUnloadResponseSchema,
  ServerLiveRequestSchema,
  ServerLiveResponseSchema,
  ServerMetadataRequestSchema,
  ServerMetadataResponseSchema,
  ServerReadyRequestSchema,
  ServerReadyResponseSchema,
} from "@/proto/inference";
import { type Action, checkReachable, modelConfig, type Service, serverMetadata } from "../core";
import { modelConfigMessage } from "./config";
import { inferHandler } from "./infer";
import { modelMetadataMessage } from "./metadata";
import { type Names, namesOf } from "./names";
import type { Handler } from "./rpc";
import { statisticsMessage } from "./statistics";

/** What a message asks, answered by the fields of another. */
interface Asked<Out extends DescMessage> {
  readonly names?: Pick<Names, "model">;
  readonly answer: (service: Service) => MessageInitShape<Out> | Promise<MessageInitShape<Out>>;
}

/** A method of the messages that a schema tells. */
const method = <In extends DescMessage, Out extends DescMessage>(
  action: Action | null,
  { request, response }: { readonly request: In; readonly response: Out },
  ask: (message: MessageShape<In>) => Asked<Out>,
): Handler => ({
  action,
  read(bytes) {
    const { names = null, answer } = ask(read(request, bytes));
    return {
      names,
      answer: async ({ service }) => toBinary(response, create(response, await answer(service))),
    };
  },
});

function read<M extends DescMessage>(schema: M, bytes: Uint8Array): MessageShape<M> {
  try {
    return fromBinary(schema, bytes);
  } catch (cause) {
    throw fail("INFER_INVALID", `the message is not a whole ${schema.name}`, { cause });
  }
}

/** The revision that answers for a model. @throws {AppError} `MODEL_NOT_FOUND`, `MODEL_NOT_READY` */
function chosen({ readiness, routes }: Service, { model, version }: Names) {
  readiness.checkRoutes();
  return routes.choose(model, version);
}

const versionsOf = ({ routes }: Service, { model, version }: Names): readonly string[] =>
  version === null ? routes.readyVersions(model) : [version];

/** Every unary call of the inference service that is answered, by its name. */
export const handlers: Readonly<Record<string, Handler>> = {
  ServerLive: method(
    null,
    { request: ServerLiveRequestSchema, response: ServerLiveResponseSchema },
    () => ({ answer: () => ({ live: true }) }),
  ),
  ServerReady: method(
    null,
    { request: ServerReadyRequestSchema, response: ServerReadyResponseSchema },
    () => ({ answer: ({ readiness }) => ({ ready: isTrue(() => readiness.check()) }) }),
  ),
  ServerMetadata: method(
    "use",
    { request: ServerMetadataRequestSchema, response: ServerMetadataResponseSchema },
    () => ({ answer: ({ version }) => serverMetadata(version) }),
  ),
  ModelReady: method(
    "use",
    { request: ModelReadyRequestSchema, response: ModelReadyResponseSchema },
    (message) => {
      const names = namesOf(message.name, message.version);
      return { names, answer: (service) => ({ ready: isReady(service, names) }) };
    },
  ),
  ModelMetadata: method(
    "use",
    { request: ModelMetadataRequestSchema, response: ModelMetadataResponseSchema },
    (message) => {
      const names = namesOf(message.name, message.version);
      return {
        names,
        answer: (service) =>
          modelMetadataMessage(names.model, chosen(service, names), versionsOf(service, names)),
      };
    },
  ),
  ModelInfer: inferHandler,
  ModelConfig: method(
    "use",
    { request: ModelConfigRequestSchema, response: ModelConfigResponseSchema },
    (message) => {
      const names = namesOf(message.name, message.version);
      return {
        names,
        answer: (service) => modelConfigMessage(modelConfig(names.model, chosen(service, names))),
      };
    },
  ),
  ModelStatistics: method(
    "use",
    { request: ModelStatisticsRequestSchema, response: ModelStatisticsResponseSchema },
    ({ name, version }) => {
      if (name === "") return { answer: ({ statistics }) => statisticsMessage(statistics.all) };
      const names = namesOf(name, version);
      return {
        names,
        answer(service) {
          chosen(service, names);
          const list = versionsOf(service, names).map((each) => service.statistics.of(name, each));
          return statisticsMessage(list);
        },
      };
    },
  ),
  RepositoryIndex: method(
    "use",
    { request: RepositoryIndexRequestSchema, response: RepositoryIndexResponseSchema },
    ({ ready }) => ({ answer: ({ repository }) => ({ models: [...repository.index(ready)] }) }),
  ),
  RepositoryModelLoad: method(
    "control",
    { request: RepositoryModelLoadRequestSchema, response: RepositoryModelLoadResponseSchema },
    (message) => {
      const model = modelOf(message);
      return {
        names: { model },
        async answer({ repository }) {
          await repository.load(model);
          return {};
        },
      };
    },
  ),
  RepositoryModelUnload: method(
    "control",
    { request: RepositoryModelUnloadRequestSchema, response: RepositoryModelUnloadResponseSchema },
    (message) => {
      const model = modelOf(message);
      return {
        names: { model },
        async answer({ repository }) {
          await repository.unload(model);
          return {};
        },
      };
    },
  ),
};

/** KServe's clients put the model's name where Triton's put the repository's. */
function modelOf(request: { readonly repositoryName: string; readonly modelName: string }): string {
  return request.modelName === "" ? request.repositoryName : request.modelName;
}

/** @throws {AppError} `MODEL_NOT_FOUND` and what else tells more than that it is not ready */
function isReady(service: Service, names: Names): boolean {
  try {
    checkReachable(names.model, chosen(service, names));
    return true;
  } catch (error) {
    if (isAppError(error) && error.reason === "MODEL_NOT_READY") return false;
    throw error;
  }
}

function isTrue(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
