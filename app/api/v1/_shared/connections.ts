import { internalGatewayUrl } from "@/app/gateway-url";
import type { Connection, ConnectionId, ConnectionTest, Scope } from "@/lib/common/contract";
import { database } from "@/lib/server/db";
import { portalEnv } from "@/lib/server/env";
import { pingRedis } from "@/lib/server/queue";
import { buckets, objectStore, uploadsBucket } from "@/lib/server/storage";

/** What the portal reaches, without any secret: of addresses the host, the port and the name. */
export function listConnections(scope: Scope): Connection[] {
  const env = portalEnv();
  return [
    { id: "postgres", kind: "postgres", address: withoutSecrets(env.DATABASE_URL) },
    {
      id: "redis",
      kind: "redis",
      address: env.REDIS_URL === undefined ? null : withoutSecrets(env.REDIS_URL),
    },
    {
      id: "objects",
      kind: env.S3_ENDPOINT ? "s3" : "files",
      address: env.S3_ENDPOINT ? withoutSecrets(env.S3_ENDPOINT) : (env.STORAGE_DIR ?? null),
      buckets: [buckets.samples, uploadsBucket(scope), buckets.artifacts, buckets.logs],
    },
    { id: "gateway", kind: "http", address: withoutSecrets(internalGatewayUrl()) },
  ];
}

/** `host:port/name` of an address that may hold a name and a password. */
function withoutSecrets(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname === "/" ? "" : pathname}`;
}

/** Asks a connection for something real, and says what came back; what fails is an answer too. */
export async function testConnection(id: ConnectionId): Promise<ConnectionTest> {
  const { asked, ask } = tests[id];
  const startedAt = performance.now();
  const at = new Date().toISOString();
  const result = await ask().then(
    (answer) => ({ ok: true, answer }),
    (error: unknown) => ({ ok: false, answer: reasonOf(error) }),
  );
  return { ...result, asked, at, tookMs: performance.now() - startedAt };
}

const mostLetters = 300;

/** The first line of what an error says: it may not hold an address with a password. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  const [line = ""] = text.split("\n").filter((each) => each.trim() !== "");
  return line.replaceAll(/\/\/[^@/\s]*@/g, "//").slice(0, mostLetters);
}

const tests: Readonly<Record<ConnectionId, { asked: string; ask: () => Promise<string> }>> = {
  postgres: { asked: "SELECT version(), count(*) FROM build", ask: askPostgres },
  redis: { asked: "PING, INFO server", ask: askRedis },
  objects: { asked: "list artifacts", ask: listObjects },
  gateway: { asked: "GET /v2", ask: askGateway },
};

async function askPostgres(): Promise<string> {
  const [row] = await database().$queryRaw<{ version: string; builds: number }[]>`
    SELECT current_setting('server_version') AS version, count(*)::int AS builds FROM build`;
  return `Postgres ${row?.version}, ${row?.builds} builds`;
}

async function askRedis(): Promise<string> {
  const url = portalEnv().REDIS_URL;
  if (url === undefined) throw new Error("REDIS_URL is not set for the portal.");
  return `PONG, Redis ${await pingRedis(url)}`;
}

const mostListed = 1000;

/** Lists what is there, as a person would to see whether the keys work. */
async function listObjects(): Promise<string> {
  let objects = 0;
  let bytes = 0;
  for await (const { sizeBytes } of objectStore().list(buckets.artifacts)) {
    objects += 1;
    bytes += sizeBytes;
    if (objects === mostListed) break;
  }
  const more = objects === mostListed ? "the first " : "";
  return `${more}${objects} objects, ${bytes} bytes in ${buckets.artifacts}`;
}

async function askGateway(): Promise<string> {
  const answer = await fetch(`${internalGatewayUrl()}/v2`, { signal: AbortSignal.timeout(3000) });
  return `${answer.status} ${(await answer.text()).slice(0, mostLetters)}`;
}
