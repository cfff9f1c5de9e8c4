import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { deleteJson, getJson, postJson } from "@/lib/common/api-client";
import {
  invitationSchema,
  leadSchema,
  madeInvitationSchema,
  madeLinkSchema,
  memberSchema,
  type NewInvitation,
  type NewPerson,
  offeredSchema,
  onwardSchema,
  pageOf,
  passkeyOptionsSchema,
  projectSchema,
  type Role,
  resetOfSchema,
  type ServiceStart,
  type SignIn,
  type SignInProof,
  sessionSchema,
  signInOptionsSchema,
  signInWaySchema,
} from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";

/** Everybody of the project. */
export const membersQuery = () =>
  queryOptions({
    queryKey: ["members"],
    queryFn: ({ signal }) => getJson("/api/v1/members", pageOf(memberSchema), { signal }),
  });

/** Invitations that nobody has taken. */
export const invitationsQuery = () =>
  queryOptions({
    queryKey: ["invitations"],
    queryFn: ({ signal }) => getJson("/api/v1/invitations", pageOf(invitationSchema), { signal }),
  });

/** Where somebody is signed in. */
export const sessionsQuery = () =>
  queryOptions({
    queryKey: ["me", "sessions"],
    queryFn: ({ signal }) => getJson("/api/v1/me/sessions", pageOf(sessionSchema), { signal }),
  });

/** How people sign in here. */
export const signInOptionsQuery = () =>
  queryOptions({
    queryKey: ["sign-in"],
    queryFn: ({ signal }) => getJson("/api/v1/sign-in", signInOptionsSchema, { signal }),
  });

/** How one can sign in. */
export const waysQuery = () =>
  queryOptions({
    queryKey: ["me", "sign-ins"],
    queryFn: ({ signal }) => getJson("/api/v1/me/sign-ins", pageOf(signInWaySchema), { signal }),
  });

/** What an invitation is to. */
export const offerQuery = (code: string) =>
  queryOptions({
    queryKey: ["offer", code],
    queryFn: ({ signal }) =>
      postJson("/api/v1/invitations/offer", { code }, offeredSchema, { signal }),
  });

/** Whose password a link sets. */
export const resetQuery = (code: string) =>
  queryOptions({
    queryKey: ["reset", code],
    queryFn: ({ signal }) =>
      postJson("/api/v1/passwords/offer", { code }, resetOfSchema, { signal }),
  });

const nothing = z.unknown();

export const signIn = (body: SignIn) => postJson("/api/v1/session", body, nothing);
export const startService = (body: ServiceStart) =>
  postJson("/api/v1/sign-in/service", body, leadSchema);
export const endService = (query: string) =>
  postJson("/api/v1/sign-in/service/answer", { query }, onwardSchema);
export const linkService = (proof: SignInProof) =>
  postJson("/api/v1/me/sign-ins/service", proof, leadSchema);
/** Asks the browser for a passkey, and signs in by it. Loads what speaks to authenticators when it is wanted. */
export async function signInByPasskey(): Promise<void> {
  const { startAuthentication } = await import("@simplewebauthn/browser");
  const options = await postJson("/api/v1/sign-in/passkey/options", {}, passkeyOptionsSchema);
  const response = await fromAuthenticator(startAuthentication({ optionsJSON: options }));
  await postJson("/api/v1/sign-in/passkey", { response }, nothing);
}
/** Has the browser make a passkey, and keeps it. @param name As its owner calls it. */
export async function addPasskey(name: string, proof: SignInProof): Promise<void> {
  const { startRegistration } = await import("@simplewebauthn/browser");
  const options = await postJson("/api/v1/me/passkeys/options", proof, passkeyOptionsSchema);
  const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]["optionsJSON"];
  const response = await fromAuthenticator(startRegistration({ optionsJSON }));
  await postJson("/api/v1/me/passkeys", { name, response }, nothing);
}
/** Browsers do not say which: that somebody turned back, waited too long, or has none. */
async function fromAuthenticator<T>(answer: Promise<T>): Promise<T> {
  return await answer.catch((cause: unknown) => {
    throw fail("SIGN_IN_REFUSED", "The browser gave no passkey.", {
      hint: "Try again, and confirm in the window that the browser opens.",
      cause,
    });
  });
}
export const removeWay = (id: string) => deleteJson(`/api/v1/me/sign-ins/${id}`, nothing);
export const signOut = () => deleteJson("/api/v1/session", nothing);
export const signOutEverywhere = () => deleteJson("/api/v1/me/sessions", nothing);
export const endSession = (id: string) => deleteJson(`/api/v1/me/sessions/${id}`, nothing);
export const join = (body: NewPerson) => postJson("/api/v1/invitations/join", body, nothing);
export const accept = (code: string) => postJson("/api/v1/invitations/accept", { code }, nothing);
export const invite = (body: NewInvitation) =>
  postJson("/api/v1/invitations", body, madeInvitationSchema);
export const resetPassword = (code: string, password: string) =>
  postJson("/api/v1/passwords", { code, password }, nothing);
export const makePasswordLink = (id: string) =>
  postJson(`/api/v1/members/${id}/password-link`, {}, madeLinkSchema);
export const withdraw = (id: string) => deleteJson(`/api/v1/invitations/${id}`, nothing);
export const changeRole = (id: string, role: Role) =>
  postJson(`/api/v1/members/${id}/role`, { role }, nothing);
export const removeMember = (id: string) => deleteJson(`/api/v1/members/${id}`, nothing);
export const chooseProject = (project: string) =>
  postJson("/api/v1/me/project", { project }, nothing);
export const makeProject = (name: string) => postJson("/api/v1/projects", { name }, projectSchema);
export const changePassword = (body: { current: string; password: string }) =>
  postJson("/api/v1/me/password", body, nothing);
