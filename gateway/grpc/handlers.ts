import {
  create,
  type DescMessage,
  fromBinary,
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
  ServerLiveResponseSchema,
  ServerMetadataResponseSchema,
  ServerReadyResponseSchema,
} from "@/proto/inference";
import { checkReachable, modelConfig, type Service, serverMetadata } from "../core";
import { callerOf, namesOf } from "./call";
import { answerInfer } from "./infer";
import { configMessage, metadataMessage, statisticsMessage } from "./model-messages";
import type { UnaryCall } from "./wire/server";

/** Answers one unary call in its wire form. */
export type UnaryHandler = (service: Service, call: UnaryCall) => Uint8Array | Promise<Uint8Array>;

function read<M extends DescMessage>(schema: M, bytes: Uint8Array): MessageShape<M> {
  try {
    return fromBinary(schema, bytes);
  } catch (cause) {
    throw fail("INFER_INVALID", `the message is not a whole ${schema.name}`, { cause });
  }
}

/** The version of a model that a call names, after its caller was found to be allowed to ask. */
async function chosen(service: Service, { call }: UnaryCall, name: string, version: string) {
  const wanted = namesOf(name, version);
  await callerOf(service, call, "use", name);
  service.readiness.checkRoutes();
  return { wanted, revision: service.routes.choose(name, wanted) };
}

/** Every unary call of the inference service that is answered, by its name. */
export const unaryHandlers: Readonly<Record<string, UnaryHandler>> = {
  ServerLive: () =>
    toBinary(ServerLiveResponseSchema, create(ServerLiveResponseSchema, { live: true })),
  ServerReady: ({ readiness }) => {
    const ready = isTrue(() => readiness.check());
    return toBinary(ServerReadyResponseSchema, create(ServerReadyResponseSchema, { ready }));
  },
  async ModelReady(service, call) {
    const { name, version } = read(ModelReadyRequestSchema, call.request);
    let ready = true;
    try {
      const { revision } = await chosen(service, call, name, version);
      checkReachable(name, revision);
    } catch (error) {
      if (!isAppError(error) || error.reason !== "MODEL_NOT_READY") throw error;
      ready = false;
    }
    return toBinary(ModelReadyResponseSchema, create(ModelReadyResponseSchema, { ready }));
  },
  ServerMetadata: ({ version }) =>
    toBinary(
      ServerMetadataResponseSchema,
      create(ServerMetadataResponseSchema, serverMetadata(version)),
    ),
  async ModelMetadata(service, call) {
    const { name, version } = read(ModelMetadataRequestSchema, call.request);
    const { wanted, revision } = await chosen(service, call, name, version);
    const versions = wanted === null ? service.routes.readyVersions(name) : [wanted];
    return toBinary(ModelMetadataResponseSchema, metadataMessage(name, revision, versions));
  },
  ModelInfer: answerInfer,
  async ModelConfig(service, call) {
    const { name, version } = read(ModelConfigRequestSchema, call.request);
    const { revision } = await chosen(service, call, name, version);
    return toBinary(ModelConfigResponseSchema, configMessage(modelConfig(name, revision)));
  },
  async ModelStatistics(service, call) {
    const { name, version } = read(ModelStatisticsRequestSchema, call.request);
    const { statistics } = service;
    if (name === "") {
      await callerOf(service, call.call, "use", null);
      return toBinary(ModelStatisticsResponseSchema, statisticsMessage(statistics.all));
    }
    const { wanted } = await chosen(service, call, name, version);
    const versions = wanted === null ? service.routes.readyVersions(name) : [wanted];
    const list = versions.map((each) => statistics.of(name, each));
    return toBinary(ModelStatisticsResponseSchema, statisticsMessage(list));
  },
  async RepositoryIndex(service, call) {
    const { ready } = read(RepositoryIndexRequestSchema, call.request);
    await callerOf(service, call.call, "use", null);
    const models = service.repository.index(ready);
    return toBinary(
      RepositoryIndexResponseSchema,
      create(RepositoryIndexResponseSchema, { models: [...models] }),
    );
  },
  async RepositoryModelLoad(service, call) {
    const name = modelOf(read(RepositoryModelLoadRequestSchema, call.request));
    await callerOf(service, call.call, "control", name);
    await service.repository.load(name);
    return toBinary(RepositoryModelLoadResponseSchema, create(RepositoryModelLoadResponseSchema));
  },
  async RepositoryModelUnload(service, call) {
    const name = modelOf(read(RepositoryModelUnloadRequestSchema, call.request));
    await callerOf(service, call.call, "control", name);
    await service.repository.unload(name);
    return toBinary(
      RepositoryModelUnloadResponseSchema,
      create(RepositoryModelUnloadResponseSchema),
    );
  },
};

/** KServe's clients put the model's name where Triton's put the repository's. */
function modelOf(request: { readonly repositoryName: string; readonly modelName: string }): string {
  return request.modelName === "" ? request.repositoryName : request.modelName;
}

function isTrue(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
