import path from "node:path";
import { z } from "zod";
import { grpcAddressSchema } from "@/lib/common/bond";
import { mostSimulated, sourceConnectionsSchema } from "@/lib/common/contract";
import { sourceCredentialsSchema } from "./source-credentials";

const port = z.coerce.number().int().min(0).max(65_535);
const count = z.coerce.number().int().min(1);
const seconds = z.coerce.number().positive();
const flag = z
  .enum(["0", "1"])
  .default("0")
  .transform((value) => value === "1");
/** A comma-separated list of `host:port`. */
const hostList = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((entry) => entry.trim().toLowerCase())
      .filter((entry) => entry !== ""),
  );

/** JSON that one of the schemas reads. */
const json = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: "custom", message: "is no JSON" });
        return z.NEVER;
      }
    })
    .pipe(schema);

/** What every process of the installation knows. */
export const common = {
  NODE_ENV: z.enum(["production", "development", "test"]).default("production"),
  /** Where programs are looked for. */
  PATH: z.string().default("/usr/local/bin:/usr/bin:/bin"),
  /** The data folder: keys, caches, stores, work folders. */
  // Not `path.resolve`: Next's bundler would take the folder for an asset and walk through it.
  BOARDWALK_HOME: z.string().default(() => [process.cwd(), ".boardwalk"].join(path.sep)),
  /** Folder of the bundles; default: beside the running one. */
  BOARDWALK_BUNDLES: z.string().optional(),
  /** Hash of our own `engines compiler simulator` sources, defined by the bundler. */
  BOARDWALK_SOURCE_DIGEST: z.string().optional(),
  /** Leave gracefully when standard input ends: our parent holds the other end. */
  BOARDWALK_WATCH_PARENT: flag,
  /** Tests only: the folder that holds a file for each point at which this process is to die. */
  BOARDWALK_FAULTS: z.string().optional(),
};

/** How much a process logs. */
export const log = {
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).optional(),
  /** Set by Vitest. */
  VITEST: z.string().optional(),
};

/** Where Postgres is: `postgres://` or `postgresql://`. */
export const database = {
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  /** Connections one process may hold. */
  DATABASE_POOL: count.default(10),
};

/** Where the queue is: `redis://`, or `rediss://` with TLS. */
export const redis = { REDIS_URL: z.url({ protocol: /^rediss?$/ }) };

/** The same where a process only looks whether it answers. */
export const seenRedis = { REDIS_URL: redis.REDIS_URL.optional() };

/** Either all of `S3_*`, or `STORAGE_DIR`; S3 wins. */
export const storage = {
  S3_ENDPOINT: z.url().optional(),
  S3_ACCESS_KEY: z.string().optional(),
  S3_SECRET_KEY: z.string().optional(),
  S3_REGION: z.string().default("us-east-1"),
  STORAGE_DIR: z.string().optional(),
};

/** Where the portal listens, and under which names it is known. */
export const portal = {
  PORTAL_PORT: port.default(3000),
  PORTAL_HOST: z.string().default("127.0.0.1"),
  /** The address people type; its host is always allowed. */
  PORTAL_URL: z.url().default("http://localhost:3000"),
  /** Further `host:port` that may stand in `Host`. */
  PORTAL_ALLOWED_HOSTS: hostList,
  /** Connections of all browsers together; each takes a file descriptor. */
  PORTAL_CONNECTIONS: count.default(4096),
  /** Connections of one client; a proxy in front of the portal is one. */
  PORTAL_CLIENT_CONNECTIONS: count.default(1024),
};

/** How often one person, or a token that is nobody's, may ask the portal within a minute; those of a minute may come at once. */
export const rates = {
  /** By tokens: all of a person's together. */
  API_REQUESTS_PER_MINUTE: count.default(600),
  /**
   * In the browser: all pages of a person's together. The page that asks most, of a leased board with its console, looks again 152
   * times a minute, and asks for 9 things anew when one changes, twice a second at most: 1,232. Five such tabs stay below this.
   */
  PAGE_REQUESTS_PER_MINUTE: count.default(7200),
  /** Deploys, revisions, repeated builds, imports and searches, by pages and programs together. */
  BUILD_SUBMITS_PER_MINUTE: count.default(30),
};

/** How long people have boards for themselves: a lease where nothing is said, the longest, and how far ahead one can book. */
export const boardLeases = {
  BOARD_LEASE_MINUTES: z.coerce.number().int().min(1).default(60),
  BOARD_LEASE_MOST_MINUTES: z.coerce.number().int().min(1).default(480),
  BOARD_LEASE_AHEAD_DAYS: z.coerce.number().int().min(1).max(365).default(30),
};

/** How long who comes from a waiting list has to do something with the board, while others wait. */
export const leaseAcceptance = {
  BOARD_LEASE_ACCEPT_MINUTES: z.coerce.number().int().min(1).default(10),
};

/** Where each process tells how it is, on loopback: `/healthz` and `/metrics`. The gateway's is 8002, as Triton's. */
export const status = {
  PORTAL_METRICS_PORT: port.default(8003),
  CONTROL_METRICS_PORT: port.default(8004),
  WORKER_METRICS_PORT: port.default(8005),
  BOARD_SERVER_METRICS_PORT: port.default(8006),
};

/** Who may come in: people who sign in, or one owner, who is known beside root and the user who started it. */
export const owner = {
  /** `on`: people have accounts, and whoever has none sees nothing. */
  BOARDWALK_ACCOUNTS: z.enum(["on", "off"]).default("off"),
  /** Whoever shows it is the owner: `Authorization: Bearer …`, or `/?token=…` opened in a browser. */
  BOARDWALK_OWNER_TOKEN: z
    .string()
    .regex(/^[\x21-\x3a\x3c-\x7e]{16,200}$/, "16 to 200 printable characters without blanks")
    .optional(),
  /** A further user of this machine, by number. */
  BOARDWALK_OWNER_UID: z.coerce.number().int().min(0).optional(),
};

/** Another service that signs people in, by OpenID Connect. */
export const signInService = {
  /** Its issuer, as its discovery document spells it. Absent: none. */
  OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  OIDC_CLIENT_ID: z.string().max(400).optional(),
  /** Either of the two; neither: a public client, which PKCE alone protects. */
  OIDC_CLIENT_SECRET: z.string().min(8).optional(),
  OIDC_CLIENT_SECRET_FILE: z.string().optional(),
  /** As the button has it: “Sign in with …”. Absent: the issuer's host. */
  OIDC_NAME: z.string().trim().max(40).optional(),
  OIDC_SCOPES: z
    .string()
    .regex(/(^| )openid( |$)/, "holds no `openid`")
    .default("openid email profile"),
  /** `host:port` of it that may be private or plain `http`. */
  OIDC_ALLOWED_HOSTS: hostList,
  /** Whose addresses of these domains the service confirms comes in without an invitation. */
  OIDC_EMAIL_DOMAINS: hostList,
};

/** Where clients, and the portal for them, reach the gateway. */
export const gatewayAddress = {
  GATEWAY_URL: z.url().default("http://localhost:8000"),
  /** Where the portal itself reaches it, if not there: in a container. */
  GATEWAY_INTERNAL_URL: z.url().optional(),
  GATEWAY_GRPC_PORT: port.default(8001),
};

/** What the gateway listens on, and its limits. */
export const gateway = {
  GATEWAY_HTTP_PORT: port.default(8000),
  GATEWAY_METRICS_PORT: port.default(8002),
  /** All routes lie below it, such as `/serving`. */
  GATEWAY_BASE_PATH: z
    .string()
    .regex(/^(\/[A-Za-z0-9._-]+)*$/)
    .default(""),
  /** Bytes of one inference body, as received and decompressed. */
  GATEWAY_MAX_BODY_BYTES: count.default(64 * 1024 * 1024),
  /** Origins of other sites whose pages may call, separated by commas. */
  GATEWAY_CORS_ORIGINS: z
    .string()
    .default("")
    .transform((list) => list.split(",").filter((origin) => origin !== ""))
    .pipe(z.array(z.url())),
  /** An OpenTelemetry collector's OTLP/HTTP address, such as `http://localhost:4318`: traces go there. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Inferences of one client that may be under way. */
  GATEWAY_CLIENT_IN_FLIGHT: count.default(4096),
  /** Connections of each protocol. Each takes a file descriptor: `ulimit -n` has to allow those of both. */
  GATEWAY_CONNECTIONS: count.default(16_384),
  /** Connections of one client, HTTP and gRPC together. */
  GATEWAY_CLIENT_CONNECTIONS: count.default(1024),
  /** A gateway that is being stopped says for so long that it is not ready, and answers all the same. */
  GATEWAY_DRAIN_S: z.coerce.number().nonnegative().default(0),
  /** Bytes that the requests of all clients may hold at a time, bodies, queue and answers together. */
  GATEWAY_BUDGET_BYTES: count.default(1024 * 1024 * 1024),
  /** Of them, those of one client. */
  GATEWAY_CLIENT_BUDGET_BYTES: count.default(512 * 1024 * 1024),
};

/** Who a board server is, where its portal is, and what it may run. */
export const boardServer = {
  /** A Unix socket of at most 100 bytes; else the port is used. */
  BOARD_SERVER_SOCKET: z.string().max(100).optional(),
  BOARD_SERVER_PORT: port.default(8100),
  /** Where it listens for the gateway; another address than loopback speaks TLS. */
  BOARD_SERVER_HOST: z.string().default("127.0.0.1"),
  /** The name or address under which gateways of other hosts find it; left out: `BOARD_SERVER_HOST`. */
  BOARD_SERVER_ADDRESS: z.string().optional(),
  BOARD_SERVER_NAME: z.string().max(63).default("local"),
  BOARD_SERVER_STATE_DIR: z.string().optional(),
  /** Single-use; needed only until the server is enrolled. */
  BOARD_SERVER_ENROL_CODE: z.string().optional(),
  BOARD_SERVER_SIMULATED_CAPACITY: z.coerce.number().int().min(0).max(mostSimulated).default(8),
  BOARD_SERVER_CPU_SLOTS: z.coerce.number().int().min(0).max(64).default(8),
  /** A JSON file that names the real boards of the host: see docs/boards.md. */
  BOARD_SERVER_BOARDS_FILE: z.string().optional(),
  /** Where the host shows its devices on USB and its serial lines. */
  BOARD_SERVER_SYS_DIR: z.string().default("/sys"),
  BOARD_SERVER_DEV_DIR: z.string().default("/dev"),
  /** Most memory that the process of one model on the CPU may hold. */
  BOARD_SERVER_CPU_MEMORY_MB: count.default(4096),
  /** Answers the contract of BondMachine's original boards there; left out: nowhere. See docs/bond.md. */
  BOARD_SERVER_BOND_PORT: port.optional(),
  BOARD_SERVER_BOND_HOST: z.string().default("127.0.0.1"),
  /** Tests only: flips a bit in every so many frames on simulated serial lines. */
  BOARD_SERVER_CORRUPT_EVERY: count.optional(),
};

/** Where a build worker's tools are, and how long and how large their work may be. */
export const buildWorker = {
  /** Jobs one process runs at a time. A synthesis run keeps one core busy for minutes. */
  WORKER_CONCURRENCY: count.default(1),
  /** Wall-clock limit of one build. */
  BUILD_TIMEOUT_S: seconds.default(3600),
  /** How long vectors go through the simulated line of each level of a proof; three do in any case. */
  PROOF_S: seconds.default(5),
  /** How long an attempt keeps what it made while the object store is away, before it is handed back. */
  STORE_PATIENCE_S: seconds.default(1800),
  /** Whether bitstreams are read back and simulated, where the machine has the tools: a quarter of a minute each. */
  READ_BACK: z.enum(["auto", "off"]).default("auto"),
  /** Products of tools that are kept for builds that need them again. 0: none. */
  STEP_CACHE_MB: z.coerce.number().int().min(0).default(2048),
  /** Where they lie; default `<BOARDWALK_HOME>/cache/steps`. Workers of one machine may share it. */
  STEP_CACHE_DIR: z.string().optional(),
  /** Folder with `node_modules/@yowasp` and private Python environments. */
  TOOLS_DIR: z.string().optional(),
  /** Where a family's tools come from: pinned WebAssembly, or PATH. */
  TOOLCHAIN_ICE40: z.enum(["wasm", "native"]).default("wasm"),
  TOOLCHAIN_ECP5: z.enum(["wasm", "native"]).default("wasm"),
  TOOLCHAIN_GOWIN: z.enum(["wasm", "native"]).default("wasm"),
  TOOLCHAIN_NEXUS: z.enum(["wasm", "native"]).default("wasm"),
  /** Paths of a vendor's main program, where it is not on PATH. */
  /** Folder of BondMachine's tools, where they are neither set-up's nor on PATH. */
  BONDMACHINE_DIR: z.string().optional(),
  /** A build server of BondMachine's original system, `host:port`, and its store: docs/bond.md. */
  BOND_BUILD_ADDRESS: grpcAddressSchema.optional(),
  BOND_BUILD_STORE: z.url({ protocol: /^https?$/ }).optional(),
  /** Answers the contract of the original's build servers on this port; absent: nowhere. It writes firmware into that store. */
  WORKER_BOND_PORT: port.optional(),
  WORKER_BOND_HOST: z.string().default("127.0.0.1"),
  BOND_BUILD_STORE_KEY: z.string().optional(),
  BOND_BUILD_STORE_SECRET: z.string().optional(),
  VIVADO: z.string().optional(),
  QUARTUS_SH: z.string().optional(),
  /** What one tool may use, with all that it starts: memory, processor time, and what its work folder may hold. */
  TOOL_MEMORY_MB: count.default(8192),
  TOOL_CPU_S: seconds.default(14_400),
  TOOL_DISK_MB: count.default(20_480),
  /** How tools are shut in. `none` is for machines whose users all trust each other, and every page says so. */
  SANDBOX: z.enum(["auto", "bubblewrap", "setpriv", "none"]).default("auto"),
  /** Tests only, and only beside `BOARDWALK_FAULTS`: `file:` and the path of a change to make to a plan. */
  BOARDWALK_TEST_MUTATION: z.string().optional(),
  /** Ed25519 key that signs artifacts; default `<BOARDWALK_HOME>/keys/signing.pem`. */
  SIGNING_KEY_FILE: z.string().optional(),
};

/** What a model may be fetched from beyond public `https`. */
export const sources = {
  /** `host:port` that may be private or plain `http`. */
  SOURCE_ALLOWED_HOSTS: hostList,
  /** Stores and hosts of the operator's own, as docs/sources.md has them. Nothing in it is secret. */
  SOURCE_CONNECTIONS: json(sourceConnectionsSchema).default([]),
  /** PEM file of a further CA for sources. */
  SOURCE_CA_FILE: z.string().optional(),
};

/** What opens those connections, for who fetches. */
export const sourceSecrets = {
  SOURCE_CREDENTIALS: json(sourceCredentialsSchema).default({}),
};

/** What seals the secrets of projects' connections and webhooks, and opens them. */
export const sealing = {
  /** Keys, one a line: docs/operations.md; default `<BOARDWALK_HOME>/keys/connections.key`. */
  CONNECTION_KEY_FILE: z.string().optional(),
};

/** Where e-mail goes out. */
export const mail = {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. Absent: no e-mail. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** Who e-mail comes from. */
  SMTP_FROM: z.email().default("boardwalk@localhost.localdomain"),
};

/** Times of leases and sweeps; tests shorten them. */
export const pace = {
  LEASE_S: seconds.default(9),
  RENEW_S: seconds.default(2),
  SWEEP_S: seconds.default(2),
  /** After its start, or an outage of the database, the reconciler lets leases be for so long. */
  GRACE_S: seconds.default(20),
};
