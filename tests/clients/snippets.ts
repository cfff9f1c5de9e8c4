import {
  type languages,
  type SnippetTarget,
  snippetOf,
} from "@/components/endpoints/request/snippets";
import type { Gateway } from "@/gateway/gateway";

type Language = (typeof languages)[number];

/** A request whose answer is known: the models answer what they are sent, or its sum. */
export interface SnippetCase {
  readonly model: string;
  readonly output: string;
  readonly text: string;
  /** Words that each language must print. */
  readonly says: readonly string[];
}

const one = (datatype: string, data: string, count: number) =>
  `{"inputs":[{"name":"x","shape":[${count}],"datatype":"${datatype}","data":[${data}]}]}`;

export const snippetCases: readonly SnippetCase[] = [
  {
    model: "add",
    output: "sum",
    text: '{"inputs":[{"name":"a","shape":[1,4],"datatype":"FP32","data":[1,2,3,0.25]},{"name":"b","shape":[1,4],"datatype":"FP32","data":[[1,2,3,0.5]]}]}',
    says: ["2", "4", "6", "0.75"],
  },
  {
    model: "echo_int64",
    output: "y",
    text: one("INT64", "9223372036854775807,-9223372036854775808", 2),
    says: ["9223372036854775807", "-9223372036854775808"],
  },
  { model: "echo_bool", output: "y", text: one("BOOL", "true,false", 2), says: ["rue", "alse"] },
  { model: "echo_fp16", output: "y", text: one("FP16", "0.5,-2", 2), says: ["0.5", "-2"] },
  { model: "echo_bf16", output: "y", text: one("BF16", "1.5,-3", 2), says: ["1.5", "-3"] },
  {
    model: "echo_bytes",
    output: "y",
    text: one("BYTES", `"it's","a \\"b\\" $(x)"`, 2),
    says: ["it's", "$(x)"],
  },
];

/** The snippet of a case for a running gateway. */
export function snippetFor(
  language: Language,
  { model, output, text }: SnippetCase,
  { httpPort, grpcPort }: Gateway,
): string {
  const target: SnippetTarget = {
    name: model,
    url: `http://127.0.0.1:${httpPort}/v2/models/${model}/infer`,
    grpc: `127.0.0.1:${grpcPort}`,
    outputs: [{ name: output, datatype: "FP32", shape: [] }],
    revision: 1,
  };
  const snippet = snippetOf(language, target, text);
  if (snippet === null) throw new Error(`no ${language} for ${text}`);
  return snippet;
}
