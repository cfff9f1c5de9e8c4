import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls";
import { buildConnector } from "undici";
import { isForeignPublic } from "./addresses";
import { ledAstray, type SourceUrl } from "./source-policy";

/** Every address of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** All answers of the system's resolver, in its order. */
export const systemResolve: Resolve = async (host) => {
  const answers = await lookup(host, { all: true, verbatim: true });
  return answers.map(({ address }) => address);
};

const contexts = new Map<string, SecureContext>();

/** The usual authorities and one more. Kept, since reading all of them takes a tenth of a second. */
function trusting(ca: string): SecureContext {
  const context = contexts.get(ca) ?? createSecureContext({ ca: [...rootCertificates, ca] });
  contexts.set(ca, context);
  return context;
}

interface ConnectorOptions {
  readonly source: SourceUrl;
  readonly resolve: Resolve;
  /** PEM of a further certificate authority. */
  readonly ca?: string | undefined;
  readonly timeoutMs: number;
  /** What connects to an address that was judged. For tests; default: undici. */
  readonly connect?: buildConnector.connector;
}

/**
 * Connects for one source: resolves its name, refuses unless every answer is public, connects to the very address that
 * was judged, and looks at the socket's remote address again. Certificates are checked against the name.
 */
export function checkedConnector(options: ConnectorOptions): buildConnector.connector {
  const { source, resolve, connect = connectorOf(options) } = options;
  return (target, callback) => {
    void judgedAddresses(source, resolve).then(
      ([address]) => {
        const { servername: _, ...rest } = target;
        const isName = isIP(source.host) === 0;
        const judged = { ...rest, hostname: address ?? "" };
        connect(isName ? { ...judged, servername: source.host } : judged, (...answer) => {
          const [, socket] = answer;
          if (socket && !source.isListed && !isForeignPublic(socket.remoteAddress ?? "")) {
            socket.destroy();
            callback(ledAstray(), null);
          } else callback(...answer);
        });
      },
      (error: unknown) => callback(error instanceof Error ? error : ledAstray(), null),
    );
  };
}

const connectorOf = ({ ca, timeoutMs }: ConnectorOptions): buildConnector.connector =>
  buildConnector({
    timeout: timeoutMs,
    maxCachedSessions: 0,
    allowH2: false,
    ...(ca === undefined ? {} : { secureContext: trusting(ca) }),
  });

/** The same for clients that take a resolver alone: it answers addresses that are fit to connect to, or none. */
export function checkedLookup(source: SourceUrl, resolve: Resolve): LookupFunction {
  return (_host, { all }, answer) => {
    void judgedAddresses(source, resolve).then(
      (found) => {
        const addresses = found.map((address) => ({ address, family: isIP(address) }));
        const [first] = addresses;
        if (all === true || first === undefined) answer(null, addresses);
        else answer(null, first.address, first.family);
      },
      (error: unknown) => answer(error instanceof Error ? error : ledAstray(), []),
    );
  };
}

/** Addresses of a source, all of them fit to connect to. */
async function judgedAddresses(source: SourceUrl, resolve: Resolve): Promise<readonly string[]> {
  const answers = isIP(source.host) === 0 ? await resolve(source.host) : [source.host];
  if (answers.length === 0) throw new Error("no address");
  if (!source.isListed && !answers.every((each) => isForeignPublic(each))) throw ledAstray();
  return answers;
}
