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
import {
  type Action,
  type Caller,
  checkReachable,
  modelConfig,
  type Names,
  type Service,
  serverMetadata,
} from "../core";
import { modelConfigMessage } from "./config";
import { inferHandler } from "./infer";
import { modelMetadataMessage } from "./metadata";
import { namesOf } from "./names";
import type { Handler } from "./rpc";
import { statisticsMessage } from "./statistics";

/** A method of the messages that schemas tell: what a message names, and the fields of its answer. */
const method = <
  In extends DescMessage,
  Out extends DescMessage,
  Named extends Pick<Names, "model"> | null,
>(
  action: Action | null,
  { request, response }: { readonly request: In; readonly response: Out },
  naming: (message: MessageShape<In>) => Named,
  answer: (
    service: Service,
    names: Named,
    message: MessageShape<In>,
    caller: Caller,
  ) => MessageInitShape<Out> | Promise<MessageInitShape<Out>>,
): Handler => ({
  action,
  read(bytes) {
    const message = read(request, bytes);
    const names = naming(message);
    return {
      names,
      answer: async ({ service, caller }) =>
        toBinary(response, create(response, await answer(service, names, message, caller))),
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

const noModel = () => null;

const theModel = ({ name, version }: { readonly name: string; readonly version: string }): Names =>
  namesOf(name, version);

const oneOrAll = (message: Parameters<typeof theModel>[0]): Names | null =>
  message.name === "" ? null : theModel(message);

/** KServe's clients put the model's name where Triton's put the repository's. */
const controlled = ({
  repositoryName,
  modelName,
}: {
  readonly repositoryName: string;
  readonly modelName: string;
}) => ({ model: modelName === "" ? repositoryName : modelName });

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
    noModel,
    () => ({ live: true }),
  ),
  ServerReady: method(
    null,
    { request: ServerReadyRequestSchema, response: ServerReadyResponseSchema },
    noModel,
    ({ readiness }) => ({ ready: isTrue(() => readiness.check()) }),
  ),
  ServerMetadata: method(
    "use",
    { request: ServerMetadataRequestSchema, response: ServerMetadataResponseSchema },
    noModel,
    ({ version }) => serverMetadata(version),
  ),
  ModelReady: method(
    "use",
    { request: ModelReadyRequestSchema, response: ModelReadyResponseSchema },
    theModel,
    (service, names) => ({ ready: isReady(service, names) }),
  ),
  ModelMetadata: method(
    "use",
    { request: ModelMetadataRequestSchema, response: ModelMetadataResponseSchema },
    theModel,
    (service, names) =>
      modelMetadataMessage(names.model, chosen(service, names), versionsOf(service, names)),
  ),
  ModelInfer: inferHandler,
  ModelConfig: method(
    "use",
    { request: ModelConfigRequestSchema, response: ModelConfigResponseSchema },
    theModel,
    (service, names) => modelConfigMessage(modelConfig(names.model, chosen(service, names))),
  ),
  ModelStatistics: method(
    "use",
    { request: ModelStatisticsRequestSchema, response: ModelStatisticsResponseSchema },
    oneOrAll,
    (service, names, _, caller) => {
      const { statistics } = service;
      if (names === null)
        return statisticsMessage(statistics.all.filter(({ model }) => caller.may("use", model)));
      chosen(service, names);
      const versions = versionsOf(service, names);
      return statisticsMessage(versions.map((each) => statistics.of(names.model, each)));
    },
  ),
  RepositoryIndex: method(
    "use",
    { request: RepositoryIndexRequestSchema, response: RepositoryIndexResponseSchema },
    noModel,
    ({ repository }, _, { ready }, caller) => ({
      models: repository.index(ready).filter(({ name }) => caller.may("use", name)),
    }),
  ),
  RepositoryModelLoad: method(
    "control",
    { request: RepositoryModelLoadRequestSchema, response: RepositoryModelLoadResponseSchema },
    controlled,
    async ({ repository }, { model }) => {
      await repository.load(model);
      return {};
    },
  ),
  RepositoryModelUnload: method(
    "control",
    { request: RepositoryModelUnloadRequestSchema, response: RepositoryModelUnloadResponseSchema },
    controlled,
    async ({ repository }, { model }) => {
      await repository.unload(model);
      return {};
    },
  ),
};

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
