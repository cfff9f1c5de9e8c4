import type { Endpoint } from "@/lib/common/contract";
import { sampleRequest } from "./sample-request";

/** The languages of the code panel, in the order of its choice. */
export const languages = ["curl", "Python", "TypeScript"] as const;
/** A language that a request can be written in. */
export type Language = (typeof languages)[number];

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

/** A request as a curl line, quoted for a shell. */
export function curlOf(url: string, body: string): string {
  return `curl -sS ${url} \\\n  -H 'Content-Type: application/json' \\\n  -d '${body.replaceAll("'", "'\\''")}'`;
}

interface InputLike {
  readonly name: string;
  readonly shape: readonly number[];
  readonly datatype: string;
  readonly data: unknown;
}

function inputsOf(endpoint: Endpoint): readonly InputLike[] {
  const request = sampleRequest(endpoint) as { readonly inputs?: readonly InputLike[] };
  return request.inputs ?? [];
}

/** The same prediction in a language, filled with this endpoint's names, shapes and sample. */
export function snippetOf(language: Language, endpoint: Endpoint): string {
  const { name, url, outputs } = endpoint;
  const body = JSON.stringify(sampleRequest(endpoint));
  if (language === "curl") return curlOf(url, body);
  if (language === "TypeScript") {
    return `const response = await fetch(${JSON.stringify(url)}, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(${body}),
});
if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`);
const { outputs } = await response.json();
console.log(outputs[0].data);
`;
  }
  const host = new URL(url).host;
  const lines = inputsOf(endpoint).flatMap((input, index) => {
    const shape = `[${input.shape.join(", ")}]`;
    return [
      `x${index} = http.InferInput(${JSON.stringify(input.name)}, ${shape}, "${input.datatype}")`,
      `x${index}.set_data_from_numpy(np.array(${JSON.stringify(input.data)}, dtype=np.${numpyOf[input.datatype] ?? "float32"}).reshape(${shape}))`,
    ];
  });
  const inputs = inputsOf(endpoint)
    .map((_, index) => `x${index}`)
    .join(", ");
  return `# pip install tritonclient[http] numpy
import numpy as np
import tritonclient.http as http

client = http.InferenceServerClient(url="${host}")
${lines.join("\n")}
answer = client.infer("${name}", [${inputs}])
print(answer.as_numpy("${outputs[0]?.name ?? "output"}"))
`;
}
