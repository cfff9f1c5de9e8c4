import { digestOf } from "@/lib/server/digest";
import { listenTls, type TlsServer } from "./listen-tls";

// A fake of a registry, for tests that take no minutes: tests/judges/registry.test.ts has a real one.

/** A fake registry. Its blobs lie on another host, as those of the large ones do. */
export interface FakeRegistry extends TlsServer {
  /** Where its blobs lie. */
  readonly blobStore: TlsServer;
  /** Where it says that it gives tokens; its own address at first. */
  realm: string;
  /** Where it sends who asks for a blob; its blob store at first. */
  blobsAt: string;
  /** What it takes for a login. */
  readonly givenToken: string;
  /** How it wants a login shown. */
  scheme: "bearer" | "basic" | "none";
  /** Other bytes than promised come of these blobs. */
  readonly lies: Set<string>;
  /** Puts an image there, of files by their titles. Answers the digest of its manifest. */
  push(name: string, tag: string, files: Readonly<Record<string, Buffer>>): string;
  /** Puts a text there as a manifest. */
  pushManifest(name: string, tag: string, text: string): string;
}

interface Login {
  readonly user: string;
  readonly password: string;
}

const basicOf = ({ user, password }: Login) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
const givenToken = "token-of-the-fake-registry";
const imageType = "application/vnd.oci.image.manifest.v1+json";

/** Starts it. @param login Null: it gives tokens to anybody. */
export async function startFakeRegistry(login: Login | null): Promise<FakeRegistry> {
  const blobs = new Map<string, Buffer>();
  const manifests = new Map<string, string>();
  const lies = new Set<string>();
  const blobStore = await listenTls(({ url = "" }, response) => {
    const blob = blobs.get(url.slice(1));
    if (!blob) response.writeHead(404).end();
    else response.end(lies.has(url.slice(1)) ? Buffer.from(blob).reverse() : blob);
  });
  const state = {
    realm: "",
    blobsAt: `https://${blobStore.host}`,
    scheme: "bearer" as FakeRegistry["scheme"],
  };
  const server = await listenTls((request, response) => {
    const { pathname } = new URL(request.url ?? "", "https://registry");
    const { authorization } = request.headers;
    if (pathname === "/token") {
      if (login && authorization !== basicOf(login)) return response.writeHead(401).end();
      return response.end(JSON.stringify({ token: givenToken }));
    }
    const isKnown =
      state.scheme === "none" ||
      (state.scheme === "bearer"
        ? authorization === `Bearer ${givenToken}`
        : login !== null && authorization === basicOf(login));
    if (!isKnown) {
      const challenge =
        state.scheme === "bearer"
          ? `Bearer realm="${state.realm}",service="fake",scope="registry:catalog:*"`
          : 'Basic realm="fake"';
      return response.writeHead(401, { "www-authenticate": challenge }).end();
    }
    if (pathname === "/v2/") return response.end("{}");
    const [, name, what, reference] =
      /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/.exec(pathname) ?? [];
    if (what === "blobs") {
      const location = `${state.blobsAt}/${reference}`;
      return response.writeHead(307, { location }).end();
    }
    const text = manifests.get(`${name}:${reference}`);
    if (text === undefined) return response.writeHead(404).end();
    return response
      .writeHead(200, { "content-type": imageType, "docker-content-digest": digestOf(text) })
      .end(text);
  });
  state.realm = `https://${server.host}/token`;
  const pushManifest = (name: string, tag: string, text: string) => {
    const digest = digestOf(text);
    manifests.set(`${name}:${tag}`, text);
    manifests.set(`${name}:${digest}`, text);
    return digest;
  };
  return Object.assign(state, {
    ...server,
    blobStore,
    givenToken,
    lies,
    pushManifest,
    push(name: string, tag: string, files: Readonly<Record<string, Buffer>>) {
      const layers = Object.entries(files).map(([title, bytes]) => {
        const digest = digestOf(bytes);
        blobs.set(digest, bytes);
        return {
          mediaType: "application/octet-stream",
          digest,
          size: bytes.length,
          annotations: { "org.opencontainers.image.title": title },
        };
      });
      const config = {
        mediaType: "application/vnd.oci.empty.v1+json",
        digest: digestOf("{}"),
        size: 2,
      };
      const image = { schemaVersion: 2, mediaType: imageType, config, layers };
      return pushManifest(name, tag, JSON.stringify(image));
    },
    close: async () => {
      await server.close();
      await blobStore.close();
    },
  });
}
