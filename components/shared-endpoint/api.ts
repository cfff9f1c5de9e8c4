import { z } from "zod";
import { type AppError, fail, type Reason, reasons } from "@/lib/common/errors";

const tensorSchema = z.object({
  name: z.string(),
  datatype: z.string(),
  shape: z.array(z.number()),
});
const metadataSchema = z.object({
  name: z.string(),
  inputs: z.array(tensorSchema),
  outputs: z.array(tensorSchema),
});

/** What a V2 server says of a model. */
export type Metadata = z.infer<typeof metadataSchema>;
type Tensor = Metadata["inputs"][number];

const addressOf = (name: string) => `/v2/models/${encodeURIComponent(name)}`;

/** Reads what a model takes and gives. @throws {AppError} `UNAUTHENTICATED` for a link that is good no more, and what the gateway says */
export async function readMetadata(name: string, token: string): Promise<Metadata> {
  return metadataSchema.parse(JSON.parse(await call(addressOf(name), token)));
}

/** Sends a V2 request as it stands; the answer as it stands. @throws {AppError} What the gateway says */
export const infer = (name: string, token: string, body: string): Promise<string> =>
  call(`${addressOf(name)}/infer`, token, body);

async function call(url: string, token: string, body?: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const init = body === undefined ? { headers } : { method: "POST", headers, body };
  const answer = await fetch(url, init).catch((cause: unknown) => {
    throw fail("STORE_UNAVAILABLE", "The server cannot be reached.", { cause });
  });
  const text = await answer.text();
  if (!answer.ok) throw refusalOf(answer.status, text);
  return text;
}

const refusalSchema = z.object({ error: z.string(), code: z.string().optional() });

/** What the V2 protocol says of a refusal, as an error of ours. */
function refusalOf(status: number, text: string): AppError {
  const { data } = refusalSchema.safeParse(jsonOf(text));
  if (!data) return fail("INTERNAL", `The server answered with status ${status}.`);
  return fail(isReason(data.code) ? data.code : "INFER_INVALID", data.error);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isReason = (text: string | undefined): text is Reason =>
  text !== undefined && text in reasons;

/** More numbers nobody types. */
const mostNumbers = 4096;

/** A request to begin with: zeros in the shape of each input, a batch of one; null: an input is too large to be typed. */
export function firstRequest(inputs: readonly Tensor[]): { text: string; isLarge: boolean } {
  const filled = inputs.map(({ name, datatype, shape }) => {
    const sizes = shape.map((size) => (size < 0 ? 1 : size));
    const count = sizes.reduce((product, size) => product * size, 1);
    const zero = datatype === "BYTES" ? "" : datatype === "BOOL" ? false : 0;
    const data = count > mostNumbers ? [] : Array.from({ length: count }, () => zero);
    return { name, shape: sizes, datatype, data };
  });
  const isLarge = filled.some(({ data, shape }) => data.length === 0 && !shape.includes(0));
  const lines = filled.map((input) => `    ${JSON.stringify(input)}`).join(",\n");
  return { text: `{\n  "inputs": [\n${lines}\n  ]\n}`, isLarge };
}
