import type { Endpoint } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import { parseInferRequest, writeBlob } from "@/lib/common/tensor";
import { compactJson } from "./format-json";
import { type DocumentInput, readDocument, textOfToken } from "./request-document";

/** The languages that a request can be written in, in the order of their choice. */
export const languages = ["curl", "Python", "TypeScript", "Python gRPC", "grpcurl"] as const;
/** A language that a request can be written in. */
export type Language = (typeof languages)[number];

/** What a snippet is filled with besides the request. */
export interface SnippetTarget extends Pick<Endpoint, "name" | "url" | "grpc" | "outputs"> {
  /** Where it is not open to all, snippets show the token of a variable. */
  readonly access?: Endpoint["access"];
  /** Null: the route decides. */
  readonly revision: number | null;
}

/** More than this in one argument is refused by some shells. */
const longestArgument = 100_000;

const numpyOf: Readonly<Record<string, string>> = {
  BOOL: "bool_",
  UINT8: "uint8",
  UINT16: "uint16",
  UINT32: "uint32",
  UINT64: "uint64",
  INT8: "int8",
  INT16: "int16",
  INT32: "int32",
  INT64: "int64",
  FP16: "float16",
  FP32: "float32",
  FP64: "float64",
  BYTES: "object_",
};

/** The variable that every snippet takes a token from. */
const tokenVariable = "BOARDWALK_TOKEN";
const wantsToken = (access: SnippetTarget["access"] = "all") => access !== "all";

/** A text quoted for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Where a revision answers. */
export function urlOf({ url, revision }: Pick<SnippetTarget, "url" | "revision">): string {
  return revision === null ? url : url.replace(/\/infer$/, `/versions/${revision}/infer`);
}

/** A request in a language; null for a text that is no request, and that only curl can send as it is. */
export function snippetOf(language: Language, target: SnippetTarget, text: string): string | null {
  const body = compactJson(text);
  if (language === "curl") return curlOf(urlOf(target), body, wantsToken(target.access));
  const document = readDocument(text);
  if (!document) return null;
  try {
    const { inputs } = parseInferRequest(new TextEncoder().encode(text));
    const blobs = inputs.map(({ data }) => writeBlob(data));
    if (language === "grpcurl") return grpcurlOf(target, document.inputs, blobs);
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
  if (language === "TypeScript") return typescriptOf(target, body, document.inputs);
  return pythonOf(target, document.inputs, language === "Python" ? "http" : "grpc");
}

/** A request as a curl line, quoted for a shell; one too long for an argument is read from a file. */
export function curlOf(url: string, body: string, withToken = false): string {
  const isLong = body.length > longestArgument;
  const token = withToken ? `-H "Authorization: Bearer $${tokenVariable}" \\\n  ` : "";
  const line = `curl -sS ${quoted(url)} \\\n  ${token}-H 'Content-Type: application/json' \\\n  -d ${isLong ? "@request.json" : quoted(body)}`;
  return isLong
    ? `# The request is too long for a shell: save it as request.json first.\n${line}`
    : line;
}

function typescriptOf(
  target: SnippetTarget,
  body: string,
  inputs: readonly DocumentInput[],
): string {
  // A literal of ours would lose digits that a number of the language cannot hold, and knows no words for numbers.
  const isExact = inputs.every(({ tokens }) =>
    tokens.every((token) => {
      if (token.startsWith('"')) return true;
      if (/^-?\d+$/.test(token)) return Number.isSafeInteger(Number(token));
      return !/NaN|Infinity/.test(token);
    }),
  );
  const sent = isExact ? `JSON.stringify(${body})` : JSON.stringify(body);
  const token = wantsToken(target.access)
    ? `authorization: \`Bearer \${process.env.${tokenVariable}}\`, `
    : "";
  return `const response = await fetch(${JSON.stringify(urlOf(target))}, {
  method: "POST",
  headers: { ${token}"content-type": "application/json" },
  body: ${sent},
});
if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`);
const { outputs } = await response.json();
console.log(outputs[0].data);
`;
}

function pythonOf(
  { name, url, grpc, outputs, revision, access }: SnippetTarget,
  inputs: readonly DocumentInput[],
  front: "http" | "grpc",
): string {
  const { protocol, host, pathname } = new URL(url);
  const base = pathname.slice(0, pathname.indexOf("/v2/"));
  const isSecure = protocol === "https:";
  const address = front === "grpc" ? (grpc ?? "localhost:8001") : `${host}${base}`;
  const secure = isSecure ? ", ssl=True" : "";
  const lines = inputs.flatMap((input, index) => {
    const shape = `[${input.shape.join(", ")}]`;
    // NumPy has no bfloat16 of its own; Triton's client wants this one.
    const dtype =
      input.datatype === "BF16"
        ? "ml_dtypes.bfloat16"
        : `np.${numpyOf[input.datatype] ?? "float32"}`;
    return [
      `x${index} = client_api.InferInput(${JSON.stringify(input.name)}, ${shape}, "${input.datatype}")`,
      `x${index}.set_data_from_numpy(np.array([${input.tokens.map((token) => pythonToken(input.datatype, token)).join(", ")}], dtype=${dtype}).reshape(${shape}))`,
    ];
  });
  const names = inputs.map((_, index) => `x${index}`).join(", ");
  const version = revision === null ? "" : `, model_version="${revision}"`;
  const isClosed = wantsToken(access);
  const token = isClosed
    ? `, headers={"authorization": "Bearer " + os.environ["${tokenVariable}"]}`
    : "";
  const needs = inputs.some(({ datatype }) => datatype === "BF16") ? ["ml_dtypes"] : [];
  return `# pip install ${[`tritonclient[${front}]`, "numpy", ...needs].join(" ")}
${isClosed ? "import os\n" : ""}${needs.map((name) => `import ${name}\n`).join("")}import numpy as np
import tritonclient.${front} as client_api

client = client_api.InferenceServerClient(url="${address}"${secure})
${lines.join("\n")}
answer = client.infer(${JSON.stringify(name)}, [${names}]${version}${token})
print(answer.as_numpy(${JSON.stringify(outputs[0]?.name ?? "output")}))
`;
}

const pythonWords: Readonly<Record<string, string>> = {
  true: "True",
  false: "False",
  null: "np.nan",
  NaN: "np.nan",
  Infinity: "np.inf",
  "-Infinity": "-np.inf",
};

function pythonToken(datatype: string, token: string): string {
  const text = textOfToken(token);
  if (datatype === "BYTES") return pythonBytes(text);
  return Object.hasOwn(pythonWords, text) ? (pythonWords[text] ?? text) : text;
}

/** The UTF-8 of a text as a literal of bytes. */
function pythonBytes(text: string): string {
  const shown = Array.from(new TextEncoder().encode(text), (byte) => {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
    return isPlain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`;
  });
  return `b"${shown.join("")}"`;
}

function grpcurlOf(
  { name, url, grpc = "localhost:8001", revision, access }: SnippetTarget,
  inputs: readonly DocumentInput[],
  blobs: readonly Uint8Array[],
): string {
  const message = JSON.stringify({
    model_name: name,
    ...(revision === null ? {} : { model_version: String(revision) }),
    inputs: inputs.map((input) => ({
      name: input.name,
      datatype: input.datatype,
      shape: input.shape,
    })),
    raw_input_contents: blobs.map(base64),
  });
  const plain = url.startsWith("https:") ? "" : " -plaintext";
  const isLong = message.length > longestArgument;
  const token = wantsToken(access) ? ` -H "authorization: Bearer $${tokenVariable}"` : "";
  const line = `grpcurl${plain}${token} -d ${isLong ? "@" : quoted(message)} ${grpc} inference.GRPCInferenceService/ModelInfer`;
  return isLong ? `# The request is too long for a shell.\n${line} <<'END'\n${message}\nEND` : line;
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x2000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x2000));
  return btoa(text);
}
