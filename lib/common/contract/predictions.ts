import { z } from "zod";
import { digestSchema } from "./names";

/** How a prediction travels to the gateway: HTTP with JSON, HTTP with tensors as bytes, or gRPC. */
export const predictProtocolSchema = z.enum(["json", "binary", "grpc"]);
/** A way to the gateway. */
export type PredictProtocol = z.infer<typeof predictProtocolSchema>;

/** Whom a prediction is for, and how it travels. */
export const predictQuerySchema = z.object({
  /** Ordinal of a revision that serves; left out: the route decides. */
  revision: z.coerce.number().int().min(1).max(1_000_000_000).optional(),
  protocol: predictProtocolSchema.default("json"),
});
export type PredictQuery = z.infer<typeof predictQuerySchema>;

/** Test rows that are answered at most at a time. */
export const maxTestRows = 500;

/** Which test rows of a model are wanted, counted from 1. */
export const testRowsQuerySchema = z.object({
  first: z.coerce.number().int().min(1).max(1_000_000).default(1),
  count: z.coerce.number().int().min(1).max(maxTestRows).default(50),
});

/** Some of the rows that a model is tested with, with what is expected of them. */
export const testRowsSchema = z.object({
  /** The file that they come from. */
  source: z.string(),
  /** Whether they chose the ranges of a firmware too: an answer to one of those proves little. */
  calibrated: z.boolean(),
  /** Rows of the file. */
  total: z.number().int().nonnegative(),
  rows: z.array(
    z.object({
      /** Its place in the file, the first being 1. */
      row: z.number().int().positive(),
      values: z.array(z.number()),
      /** Index of the expected class; null where the file has no labels. */
      label: z.number().int().nullable(),
    }),
  ),
});
/** Test rows of the model of an endpoint. */
export type TestRows = z.infer<typeof testRowsSchema>;

/** Bytes of a request that the float model is asked with. */
export const maxFloatRequestBytes = 200_000;

/** What the model itself answers, in floating point, and which endpoint serves the same model on a CPU. */
export const floatAnswerSchema = z.object({
  /** The answer, JSON of V2. */
  answer: z.string(),
  /** Digest of the model file that answered. */
  modelDigest: digestSchema,
  /** What answered: `ONNX Runtime 1.30.0`. */
  runtime: z.string(),
  /** Time of the run itself, without loading the model. */
  runNs: z.number(),
  /** A ready endpoint that serves the same model file on a CPU; null: none does. */
  cpu: z.object({ name: z.string(), revision: z.number().int() }).nullable(),
});
/** The float model's answer to a request. */
export type FloatAnswer = z.infer<typeof floatAnswerSchema>;
