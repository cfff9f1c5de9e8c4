import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

/** What the service tells of whoever signs in as this. */
export interface OidcPerson {
  readonly name?: string;
  readonly email?: string;
  readonly isVerified?: boolean;
}

/** A real OpenID provider on loopback, where whoever types a name is that person, whatever the password. */
export interface OidcProvider {
  readonly issuer: string;
  /** `127.0.0.1:PORT`, as an admin lists it. */
  readonly host: string;
  readonly people: Map<string, OidcPerson>;
  close(): Promise<void>;
}

export const oidcClient = { id: "boardwalk", secret: "a-secret-between-two-services" } as const;

/** Starts one. @param returnUrl Where it may lead people back to. */
export async function startOidcProvider(returnUrl: string): Promise<OidcProvider> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = `http://${host}`;
  const people = new Map<string, OidcPerson>();
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: oidcClient.id,
        client_secret: oidcClient.secret,
        redirect_uris: [returnUrl],
        response_types: ["code"],
        grant_types: ["authorization_code"],
      },
    ],
    claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"] },
    cookies: { keys: ["of-a-test-alone"] },
    findAccount: (_context, sub) => {
      const { name, email, isVerified } = people.get(sub) ?? {};
      return {
        accountId: sub,
        claims: async () => ({ sub, name, email, email_verified: isVerified }),
      };
    },
  });
  server.on("request", provider.callback());
  return {
    issuer,
    host,
    people,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/**
 * Signs in at the provider as a browser would, and consents.
 *
 * @returns The query that it leads back with.
 */
export async function visitProvider(address: string, login: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  const ask = async (url: string, body?: URLSearchParams): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, {
      redirect: "manual",
      headers: { cookie },
      ...(body ? { method: "POST", body } : {}),
    });
    for (const text of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  let answer = await ask(address);
  for (let step = 0; step < 12; step++) {
    const location = answer.headers.get("location");
    if (location !== null) {
      const url = new URL(location, address);
      if (url.pathname === "/sign-in/return") return url.searchParams;
      answer = await ask(url.href);
      continue;
    }
    const page = await answer.text();
    const form = /action="([^"]+)"/.exec(page)?.[1];
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1];
    if (form === undefined || prompt === undefined) throw new Error(`no form: ${page}`);
    const fields = { prompt, ...(prompt === "login" ? { login, password: "any" } : {}) };
    answer = await ask(new URL(form, address).href, new URLSearchParams(fields));
  }
  throw new Error("it leads nowhere");
}
