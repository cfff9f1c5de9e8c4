import { bundle } from "@/scripts/bundle.mjs";
import { firstOwnerAddress } from "@/scripts/lib/secret-links.mjs";
import type { Installation } from "./installation";

/** Somebody who is signed in to a whole Boardwalk. */
export interface Joined {
  readonly name: string;
  readonly cookie: string;
}

/** What a browser of theirs sends. */
export const headersOf = (
  { portalUrl }: Installation,
  { cookie }: Pick<Joined, "cookie">,
): Readonly<Record<string, string>> => ({ cookie, origin: portalUrl });

/** The first owner of an installation with accounts. */
export async function joinAsOwner(installation: Installation, name: string): Promise<Joined> {
  const bundles = process.env["BOARDWALK_BUNDLES"] ?? (await bundle());
  const { home, variables } = installation;
  const address = await firstOwnerAddress(home, { bundles, variables });
  return await joinBy(installation, address ?? "", name);
}

/** Makes an account by an invitation's address. */
async function joinBy(installation: Installation, address: string, name: string): Promise<Joined> {
  const { portalUrl } = installation;
  const answer = await fetch(`${portalUrl}/api/v1/invitations/join`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: portalUrl },
    body: JSON.stringify({
      code: new URL(address).hash.slice(1),
      name,
      email: `${name}@lab.test`,
      password: "vapour trail over seven hills",
    }),
  });
  if (answer.status !== 204) throw new Error(`${name} cannot join: ${await answer.text()}`);
  const [cookie = ""] = (answer.headers.getSetCookie()[0] ?? "").split(";");
  return { name, cookie };
}

/** Has somebody ask for a change, which must be taken; answers what was made. */
export async function writeAs(
  installation: Installation,
  who: Joined,
  [path, json]: readonly [string, object],
): Promise<Readonly<Record<string, unknown>>> {
  const { status, body } = await installation.api(path, {
    method: "POST",
    body: JSON.stringify(json),
    headers: {
      ...headersOf(installation, who),
      "content-type": "application/json",
      prefer: "wait=0",
    },
  });
  if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body ?? {};
}

/** Has somebody else come into the project of `by`, as an admin. */
export async function inviteTo(installation: Installation, by: Joined, name: string) {
  const made = await writeAs(installation, by, ["/invitations", { role: "admin", note: name }]);
  return await joinBy(installation, String(made["url"]), name);
}
