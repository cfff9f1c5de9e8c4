import { z } from "zod";
import type { Right } from "./access";
import { isoTimeSchema } from "./names";

/** What somebody is in a project; each may do all that those before it may. */
export const roles = ["viewer", "builder", "admin"] as const;
/** What somebody is in a project. */
const roleSchema = z.enum(roles);
/** What somebody is in a project. */
export type Role = z.infer<typeof roleSchema>;

/** What each role may do in its project. */
export const rightsOfRole: Readonly<Record<Role, readonly Right[]>> = {
  viewer: ["infer", "read"],
  builder: ["infer", "read", "build", "deploy", "firmware"],
  admin: ["infer", "read", "build", "deploy", "firmware", "members"],
};

/** Fewer characters are guessed; more than that nobody types. */
export const passwordLength = { least: 12, most: 256 } as const;
/** A password that somebody chooses. */
const newPasswordSchema = z
  .string()
  .min(passwordLength.least, `Take ${passwordLength.least} characters or more.`)
  .max(passwordLength.most);
const emailSchema = z
  .string()
  .trim()
  .max(254)
  .pipe(z.email("That is no e-mail address."))
  .transform((text) => text.toLowerCase());

/** How somebody signs in. */
export const signInSchema = z.strictObject({
  email: emailSchema,
  password: z.string().min(1, "Give the password.").max(passwordLength.most),
});
/** How somebody signs in. */
export type SignIn = z.output<typeof signInSchema>;

/** What others read of somebody: no line ends, and nothing that turns the text around it. */
export const shownSchema = z
  .string()
  .trim()
  .max(80)
  .regex(/^[^\p{Cc}\u2028-\u202e\u2066-\u2069]*$/u, "Leave out what cannot be seen.");

/** The code of an invitation. */
export const inviteCodeSchema = z
  .string()
  .regex(/^bw_invite_[0-9A-Za-z]{49}$/, "That is no invitation.");

/** Who comes in by an invitation for the first time. */
export const newPersonSchema = z.strictObject({
  code: inviteCodeSchema,
  name: shownSchema.min(1, "Say how you are called."),
  email: emailSchema,
  password: newPasswordSchema,
});
/** Who comes in by an invitation for the first time. */
export type NewPerson = z.output<typeof newPersonSchema>;

/** An invitation that is looked at, or taken by somebody who is signed in. */
export const invitationCodeSchema = z.strictObject({ code: inviteCodeSchema });

const resetCodeSchema = z.string().regex(/^bw_reset_[0-9A-Za-z]{49}$/, "That is no such link.");
/** A link for a new password that is looked at. */
export const resetCodeBodySchema = z.strictObject({ code: resetCodeSchema });
/** A new password, by a link. */
export const passwordResetSchema = z.strictObject({
  code: resetCodeSchema,
  password: newPasswordSchema,
});
/** Whose password a link sets. */
export const resetOfSchema = z.object({ name: z.string(), email: z.string().nullable() });
/** How long a link for a new password is good. */
export const resetHours = 24;
/** The one answer that holds the link. */
export const madeLinkSchema = z.object({ url: z.string() });

/** What an invitation is to. */
export const offeredSchema = z.object({
  project: z.string(),
  role: roleSchema,
  /** Whether it makes the first owner of this Boardwalk. */
  isFirstOwner: z.boolean(),
});
/** What an invitation is to. */
export type Offered = z.infer<typeof offeredSchema>;

/** How long an invitation is good. */
export const invitationDays = 7;
/** Of a project: more nobody looks through. */
export const mostInvitations = 100;

/** What an invitation is made by. */
export const newInvitationSchema = z.strictObject({
  role: roleSchema,
  note: shownSchema.min(1, "Say whom it is for."),
});
/** What an invitation is made by. */
export type NewInvitation = z.output<typeof newInvitationSchema>;

/** An invitation that nobody has taken yet, as it is shown ever after: without its link. */
export const invitationSchema = z.object({
  id: z.string(),
  role: roleSchema,
  note: z.string(),
  invitedBy: z.string().nullable(),
  createdAt: isoTimeSchema,
  expiresAt: isoTimeSchema,
  isExpired: z.boolean(),
});
/** An invitation that nobody has taken yet. */
export type Invitation = z.infer<typeof invitationSchema>;

/** The one answer that holds the code. */
export const madeInvitationSchema = invitationSchema.extend({
  /** Opened in a browser, it lets its bearer in, once. */
  url: z.string(),
});
/** An invitation with its link. */
export type MadeInvitation = z.infer<typeof madeInvitationSchema>;

/** Somebody of a project. */
export const memberSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  role: roleSchema,
  /** Whether boards, people and the installation are theirs to change as well. */
  isAdmin: z.boolean(),
  isYou: z.boolean(),
  /** When they were last here; null: never, or longer ago than sessions are kept. */
  seenAt: isoTimeSchema.nullable(),
});
/** Somebody of a project. */
export type Member = z.infer<typeof memberSchema>;
/** Another role of a member. */
export const roleChangeSchema = z.strictObject({ role: roleSchema });

/** A project of those that somebody is in. */
export const projectSchema = z.object({
  id: z.string(),
  name: z.string(),
  role: roleSchema,
  isCurrent: z.boolean(),
});
/** A project of those that somebody is in. */
export type Project = z.infer<typeof projectSchema>;
/** What a project is made by. */
export const newProjectSchema = z.strictObject({
  name: z
    .string()
    .regex(
      /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/,
      "Lower-case letters, digits and hyphens, beginning with a letter.",
    ),
});
/** The project that pages show from now on. */
export const projectChoiceSchema = z.strictObject({ project: z.string().max(60) });

/** A place where somebody is signed in. */
export const sessionSchema = z.object({
  id: z.string(),
  isThis: z.boolean(),
  /** The browser, as it names itself. */
  browser: z.string(),
  /** The network, and not the host. */
  from: z.string().nullable(),
  createdAt: isoTimeSchema,
  seenAt: isoTimeSchema,
});
/** A place where somebody is signed in. */
export type PersonSession = z.infer<typeof sessionSchema>;

/** Who asks. */
export const meSchema = z.object({
  /** Whether people sign in here; without accounts there is one owner. */
  hasAccounts: z.boolean(),
  id: z.string().nullable(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  isAdmin: z.boolean(),
  rights: z.array(z.string()),
  projects: z.array(projectSchema),
});
/** Who asks. */
export type Me = z.infer<typeof meSchema>;

/** A new password, by one who knows the old. */
export const passwordChangeSchema = z.strictObject({
  current: z.string().min(1, "Give the password.").max(passwordLength.most),
  password: newPasswordSchema,
});
