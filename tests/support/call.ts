import { request as httpRequest } from "node:http";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  readonly json: any;
}

export interface CallOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
  /** Sent in pieces of unknown number: no Content-Length. */
  readonly chunked?: boolean;
  readonly signal?: AbortSignal;
}

/** One request as a bare client makes it: no header that was not asked for. */
export function callAt(
  port: number,
  path: string,
  { method, headers = {}, body, chunked, signal }: CallOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: "127.0.0.1",
        port,
        path,
        method: method ?? (body === undefined ? "GET" : "POST"),
        headers: {
          ...headers,
          ...(body === undefined || chunked ? {} : { "content-length": Buffer.byteLength(body) }),
        },
        ...(signal ? { signal } : {}),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const bytes = Buffer.concat(chunks);
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes,
            text: bytes.toString(),
            get json() {
              return JSON.parse(bytes.toString());
            },
          });
        });
        response.on("error", reject);
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}
