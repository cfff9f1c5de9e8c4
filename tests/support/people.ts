import { expect } from "vitest";
import { inviteFirstOwner } from "@/domain/people";
import type { MadeInvitation, Role } from "@/lib/common/contract";
import { makeTokenText } from "@/lib/server/auth";
import { call } from "./api";

/** Long enough, and nobody's name. */
export const password = "vapour trail over seven hills";

/** Somebody who is signed in: what their browser sends. */
export interface SignedIn {
  readonly headers: { readonly cookie: string };
}

/** What a browser keeps of an answer's cookie. */
export function cookieOf(answer: Response): SignedIn {
  const [cookie] = answer.headers.getSetCookie();
  const [pair] = (cookie ?? "").split(";");
  if (!pair) throw new Error("no cookie was set");
  return { headers: { cookie: pair } };
}

/** Makes an account by a code. */
export async function joinBy(code: string, name: string): Promise<SignedIn> {
  const answer = await call("POST", "/invitations/join", {
    json: { code, name, email: `${name}@lab.test`, password },
  });
  expect(answer.status, answer.status === 204 ? "" : await answer.text()).toBe(204);
  return cookieOf(answer);
}

/** Makes the first owner. */
export async function joinFirst(name: string): Promise<SignedIn> {
  const { text, digest } = makeTokenText("invite");
  expect(await inviteFirstOwner(digest)).toBe(true);
  return await joinBy(text, name);
}

/** The code of an invitation to the project that somebody shows. */
export async function codeOf(by: SignedIn, role: Role): Promise<string> {
  const answer = await call("POST", "/invitations", { json: { role, note: "somebody" }, ...by });
  expect(answer.status).toBe(201);
  return new URL(((await answer.json()) as MadeInvitation).url).hash.slice(1);
}

/** Invites somebody, who comes. */
export const bring = async (by: SignedIn, name: string, role: Role): Promise<SignedIn> =>
  await joinBy(await codeOf(by, role), name);

/** Signs in by a password. */
export const signInAs = async (name: string, given = password): Promise<Response> =>
  await call("POST", "/session", { json: { email: `${name}@lab.test`, password: given } });
