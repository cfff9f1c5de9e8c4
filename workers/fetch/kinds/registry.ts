import { z } from "zod";
import { originsOf, parseSourceUrl, type SourceUrl } from "@/domain/sources";
import { type AppError, fail } from "@/lib/common/errors";
import {
  askWeb,
  carriesSecret,
  type OpenSource,
  openWeb,
  problemOfLogin,
  unavailable,
  type WebAnswer,
} from "../open-web";
import { authorizationOf } from "./authorization-of";
import { type Challenge, parseChallenges } from "./challenge";
import { readBody } from "./read-body";
import { mend, type OpenConnection, type ReadOptions } from "./source-reader";

/** Distribution specification 1.1: registries should take manifests of 4 MiB. */
const mostManifestBytes = 4 * 1024 * 1024;
const mostTokenBytes = 64 * 1024;

const tokenSchema = z.union([
  z.object({ token: z.string().min(1) }).transform(({ token }) => token),
  z.object({ access_token: z.string().min(1) }).transform((said) => said.access_token),
]);

/** One conversation with a registry, about one repository: it logs in when it is asked to, once. */
export class Registry {
  private readonly connection: OpenConnection<"oci">;
  private readonly options: ReadOptions;
  private readonly repository: string | null;
  /** What the registry wants to be shown; undefined: it has not asked. */
  private authorization: string | undefined;

  constructor(
    connection: OpenConnection<"oci">,
    options: ReadOptions,
    repository: string | null = null,
  ) {
    this.connection = connection;
    this.options = options;
    this.repository = repository;
  }

  /** Asks whether it speaks as registries do, and knows the login. @throws {AppError} */
  async ping(): Promise<string> {
    const answer = await this.ask("/v2/");
    await answer.close();
    const { status } = answer;
    const isKnown = this.connection.secret !== null;
    // Whoever shows nothing got a token, and may only not see the whole.
    if (!isKnown && this.authorization !== undefined && (status === 401 || status === 403))
      return "The registry gives tokens to anybody.";
    const problem = this.problemOf(status);
    if (problem) throw problem;
    return isKnown && this.authorization !== undefined
      ? "The registry knows the login."
      : "The registry answers without a login.";
  }

  /** A manifest by its tag or digest, and the digest that the registry gives it. @throws {AppError} */
  async manifest(
    reference: string,
    accept: string,
  ): Promise<{ readonly text: string; readonly digest: string | null }> {
    const answer = await this.ask(`/v2/${this.repository}/manifests/${reference}`, accept);
    try {
      const problem = this.problemOf(answer.status);
      if (problem) throw problem;
      const text = await readBody(answer.stream, mostManifestBytes);
      const digest = answer.headers["docker-content-digest"];
      return {
        text,
        digest: typeof digest === "string" && digest.startsWith("sha256:") ? digest : null,
      };
    } finally {
      await answer.close();
    }
  }

  /** A blob. It often leads on to another host, which is shown nothing. @throws {AppError} As `openWeb`. */
  async blob(digest: string): Promise<OpenSource> {
    const source = this.at(`/v2/${this.repository}/blobs/${digest}`);
    return await openWeb(source, { ...this.web(), authorization: this.authorization });
  }

  private async ask(path: string, accept?: string): Promise<WebAnswer> {
    const source = this.at(path);
    const first = await askWeb(source, this.shown(source, accept));
    if (first.status !== 401 || this.authorization !== undefined) return first;
    await first.close();
    const { "www-authenticate": asked } = first.headers;
    this.authorization = await this.logIn(parseChallenges(asked));
    return await askWeb(source, this.shown(source, accept));
  }

  /** What to show from now on. @throws {AppError} Where there is nothing, or it was refused. */
  private async logIn(challenges: readonly Challenge[]): Promise<string> {
    const asked = challenges.find(({ scheme }) => scheme === "bearer" || scheme === "basic");
    if (!asked) throw this.problemOf(401) ?? unavailable("The registry answered 401.");
    if (asked.scheme === "bearer") return authorizationOf({ token: await this.tokenFrom(asked) });
    const { secret } = this.connection;
    if (secret === null) throw needsLogin();
    return authorizationOf(secret);
  }

  /** Gets a token where the registry says. @throws {AppError} @see https://distribution.github.io/distribution/spec/auth/token/ */
  private async tokenFrom({ parameters }: Challenge): Promise<string> {
    const { realm = "", service } = parameters;
    const { secret } = this.connection;
    const source = this.judged(realm);
    const scope =
      this.repository === null ? parameters["scope"] : `repository:${this.repository}:pull`;
    if (service !== undefined) source.url.searchParams.set("service", service);
    if (scope !== undefined) source.url.searchParams.set("scope", scope);
    if (secret !== null) this.requireKnown(source);
    const answer = await askWeb(source, {
      ...this.web(),
      authorization: secret === null ? undefined : authorizationOf(secret),
    });
    try {
      const problem = this.problemOf(answer.status);
      if (problem) throw problem;
      return parseToken(await readBody(answer.stream, mostTokenBytes));
    } finally {
      await answer.close();
    }
  }

  /** A login goes to the registry, and to the one other host that the connection names. */
  private requireKnown(source: SourceUrl): void {
    const { origin, host } = source.url;
    const leads = {
      kind: "oci",
      name: this.connection.name,
      place: this.connection.place,
    } as const;
    if (originsOf(leads).includes(origin) && carriesSecret(source, { mayGoPlain: true })) return;
    throw fail(
      "SOURCE_LOGIN_REFUSED",
      `The registry wants its login shown to another host, ${host}, which the connection does not name.`,
      { hint: `If that is right, set ${host} as the host of its tokens. ${mend}` },
    );
  }

  private judged(realm: string): SourceUrl {
    if (realm.length > 2048 || !URL.canParse(realm))
      throw unavailable("The registry does not say where it gives tokens.");
    return parseSourceUrl(realm, this.options.policy);
  }

  private at(path: string): SourceUrl {
    return parseSourceUrl(`${this.connection.place.registry}${path}`, this.options.policy);
  }

  private web() {
    return { ...this.options, mend, mayGoPlain: true };
  }

  private shown(source: SourceUrl, accept: string | undefined) {
    const mayShow = carriesSecret(source, { mayGoPlain: true });
    return {
      ...this.web(),
      authorization: mayShow ? this.authorization : undefined,
      ...(accept === undefined ? {} : { accept }),
    };
  }

  private problemOf(status: number): AppError | null {
    if (status === 200) return null;
    const isKnown = this.connection.secret !== null;
    if (status === 401 && !isKnown) return needsLogin();
    const problem = problemOfLogin(status, isKnown, mend);
    if (problem) return problem;
    if (status === 429 || status >= 500) return unavailable(`The registry answered ${status}.`);
    if (status === 404 && this.repository !== null)
      return fail("SOURCE_NOT_FOUND", `The registry has no such image of ${this.repository}.`, {
        field: "model.url",
        hint: "Compare repository and tag. Registries also say this of what a login may not see.",
      });
    return fail(
      "SOURCE_NOT_FOUND",
      `This host does not speak as a registry does: it answered ${status}.`,
      {
        hint: mend,
      },
    );
  }
}

const needsLogin = (): AppError =>
  fail("SOURCE_LOGIN_REFUSED", "The registry wants a login, and the connection has none.", {
    hint: `Give it a user and a password. ${mend}`,
  });

function parseToken(text: string): string {
  try {
    const token = tokenSchema.parse(JSON.parse(text));
    if (/^[\x21-\x7e]+$/.test(token)) return token;
  } catch {
    // Nothing of the answer is shown: it may hold the token.
  }
  throw unavailable("The registry gave no token.");
}
