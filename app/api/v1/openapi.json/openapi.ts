import { z } from "zod";
import { errorBodySchema } from "@/lib/common/contract";
import type { Handler } from "@/lib/server/handler";
import { type Method, routes } from "./routes";

const methods: readonly Method[] = ["GET", "POST", "PATCH", "DELETE"];

/** The description of the API, made from the very schemas that the handlers parse with. */
export function openApiDocument(serverUrl: string): Record<string, unknown> {
  const paths = Object.entries(routes).map(([path, module]) => [
    path,
    Object.fromEntries(
      methods.flatMap((method) => {
        const handler = module[method];
        return handler ? [[method.toLowerCase(), operation(handler)]] : [];
      }),
    ),
  ]);
  return {
    openapi: "3.1.0",
    info: {
      title: "Boardwalk",
      version: "1",
      description: "Puts machine-learning models onto FPGA boards as a service.",
    },
    servers: [{ url: `${serverUrl}/api/v1` }],
    paths: Object.fromEntries(paths),
    components: { schemas: { Error: jsonSchema(errorBodySchema, "output") } },
  };
}

function operation({ definition }: Handler): Record<string, unknown> {
  const { name, summary, params, query, body, rawBody, response, rawResponse } = definition;
  const parameters = [
    ...parametersOf(params, "path"),
    ...parametersOf(query, "query"),
    ...(definition.idempotent ? [idempotencyKey] : []),
  ];
  const status = definition.status ?? (response || rawResponse ? 200 : 204);
  const sends = body
    ? { "application/json": { schema: jsonSchema(body, "input") } }
    : rawBody && { [rawBody]: {} };
  const answers = {
    ...(response ? { "application/json": { schema: jsonSchema(response, "output") } } : {}),
    ...(rawResponse ? { [rawResponse]: {} } : {}),
  };
  return {
    operationId: name,
    summary,
    tags: [name.split(".")[0]],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(sends ? { requestBody: { required: true, content: sends } } : {}),
    responses: {
      [status]: { description: "Done.", ...(response || rawResponse ? { content: answers } : {}) },
      default: {
        description: "What went wrong.",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  schema: { type: "string", pattern: "^[A-Za-z0-9_-]{1,128}$" },
};

function parametersOf(schema: z.ZodType | undefined, place: "path" | "query") {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).map(([name, part]) => ({
    name,
    in: place,
    required: place === "path",
    schema: jsonSchema(part as z.ZodType, "input"),
  }));
}

function jsonSchema(schema: z.ZodType, io: "input" | "output"): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}
