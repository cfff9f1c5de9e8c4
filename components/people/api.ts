import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { deleteJson, getJson, postJson } from "@/lib/common/api-client";
import {
  invitationSchema,
  madeInvitationSchema,
  madeLinkSchema,
  memberSchema,
  type NewInvitation,
  type NewPerson,
  offeredSchema,
  pageOf,
  projectSchema,
  type Role,
  resetOfSchema,
  type SignIn,
  sessionSchema,
} from "@/lib/common/contract";

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
