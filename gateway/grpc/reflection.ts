import {
  create,
  type DescFile,
  fromBinary,
  type MessageInitShape,
  toBinary,
} from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { fail } from "@/lib/common/errors";
import {
  file_health,
  file_inference,
  file_reflection,
  ServerReflectionRequestSchema,
  ServerReflectionResponseSchema,
} from "@/proto/inference";
import type { StreamCall } from "./wire/stream-call";

type Response = NonNullable<
  MessageInitShape<typeof ServerReflectionResponseSchema>["messageResponse"]
>;

const files: readonly DescFile[] = [file_inference, file_health, file_reflection];
const services = files.flatMap(({ services: list }) => list.map(({ typeName }) => typeName));
const notFound = 5;
const unimplemented = 12;

/** Tells generic clients which services and messages there are. */
export function answerReflection({ call, onMessage, onEnd }: StreamCall): void {
  onMessage((bytes, reservation) => {
    reservation.close();
    const request = read(bytes);
    if (!request) {
      call.fail(fail("INFER_INVALID", "the message is not a whole ServerReflectionRequest"));
      return;
    }
    call.write(
      toBinary(
        ServerReflectionResponseSchema,
        create(ServerReflectionResponseSchema, {
          validHost: request.host,
          originalRequest: request,
          messageResponse: answer(request.messageRequest),
        }),
      ),
    );
  });
  onEnd(() => call.end());
}

function read(bytes: Uint8Array) {
  try {
    return fromBinary(ServerReflectionRequestSchema, bytes);
  } catch {
    return null;
  }
}

function answer(asked: { readonly case?: string | undefined; readonly value?: unknown }): Response {
  switch (asked.case) {
    case "listServices":
      return {
        case: "listServicesResponse",
        value: { service: services.map((name) => ({ name })) },
      };
    case "fileByFilename":
      return fileOf(files.find(({ proto }) => proto.name === asked.value));
    case "fileContainingSymbol":
      return fileOf(files.find((file) => defines(file, String(asked.value))));
    default:
      return error(unimplemented, "this kind of question is not answered");
  }
}

function defines({ proto, services: list }: DescFile, symbol: string): boolean {
  if (symbol === proto.package) return true;
  if (!symbol.startsWith(`${proto.package}.`)) return false;
  const [first = "", second] = symbol.slice(proto.package.length + 1).split(".");
  const service = list.find(({ name }) => name === first);
  if (service) return second === undefined || service.methods.some(({ name }) => name === second);
  return [...proto.messageType, ...proto.enumType].some(({ name }) => name === first);
}

function fileOf(file: DescFile | undefined): Response {
  if (!file) return error(notFound, "there is no such file or symbol");
  const bytes = toBinary(FileDescriptorProtoSchema, file.proto);
  return { case: "fileDescriptorResponse", value: { fileDescriptorProto: [bytes] } };
}

const error = (errorCode: number, errorMessage: string): Response => ({
  case: "errorResponse",
  value: { errorCode, errorMessage },
});
