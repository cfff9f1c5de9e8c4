import { z } from "zod";
import { isoTimeSchema } from "./names";
import { inviteCodeSchema, shownSchema } from "./people";

/** How people can sign in here, beside passwords and passkeys. */
export const signInOptionsSchema = z.object({
  /** The name of another service that signs people in; null: none does. */
  service: z.string().nullable(),
  /** Whether browsers make passkeys at this address: over TLS or on this machine, and by a name. */
  hasPasskeys: z.boolean(),
});

/** Somebody goes to another service to sign in there. */
export const serviceStartSchema = z.strictObject({
  /** The page that they wanted: a path of ours. */
  next: z
    .string()
    .max(2000)
    .regex(/^\/(?![/\\])[^\\\u0000-\u001f]*$/, "That is no page of this Boardwalk.")
    .default("/"),
  /** An invitation that they take up. */
  invitation: inviteCodeSchema.optional(),
});
/** Somebody goes to another service to sign in there. */
export type ServiceStart = z.input<typeof serviceStartSchema>;

/** Where to send a browser. */
export const leadSchema = z.object({ url: z.string() });

/** Somebody comes back from there. */
export const serviceAnswerSchema = z.strictObject({
  /** The query of the address that the service led back to. */
  query: z.string().max(8000),
});
/** Where they go on. */
export const onwardSchema = z.object({ next: z.string() });

/** A way in which somebody can sign in. */
export const signInWaySchema = z.object({
  id: z.string(),
  kind: z.enum(["password", "service", "passkey"]),
  /** As whom the service knows them, or how they call the passkey. */
  name: z.string(),
  /** Whether it lets them in now: not by a service that signs nobody in here any more. */
  isGood: z.boolean(),
  /** Whether nothing else lets them in: it stays. */
  isLast: z.boolean(),
  createdAt: isoTimeSchema,
  /** Null: never, or not written down. */
  usedAt: isoTimeSchema.nullable(),
});
/** A way in which somebody can sign in. */
export type SignInWay = z.infer<typeof signInWaySchema>;

const base64url = z.string().regex(/^[\w-]*$/);

/** A new passkey, as a browser tells of it: `RegistrationResponseJSON` of the standard. */
export const newPasskeySchema = z.strictObject({
  /** As its owner calls it. */
  name: shownSchema.min(1, "Say how you call it."),
  response: z.looseObject({
    id: base64url.min(1).max(1400),
    rawId: base64url.max(1400),
    type: z.literal("public-key"),
    clientExtensionResults: z.looseObject({}),
    response: z.looseObject({
      clientDataJSON: base64url.max(4000),
      attestationObject: base64url.max(20_000),
      transports: z.array(z.string().max(40)).max(20).default([]),
    }),
  }),
});
/** What a passkey signed, as a browser tells of it: `AuthenticationResponseJSON` of the standard. */
export const passkeySignInSchema = z.strictObject({
  response: z.looseObject({
    id: base64url.min(1).max(1400),
    rawId: base64url.max(1400),
    type: z.literal("public-key"),
    clientExtensionResults: z.looseObject({}),
    response: z.looseObject({
      clientDataJSON: base64url.max(4000),
      authenticatorData: base64url.max(4000),
      signature: base64url.max(4000),
    }),
  }),
});
/** What a browser asks an authenticator by: options of the standard, in JSON. */
export const passkeyOptionsSchema = z.looseObject({ challenge: base64url });

/** Proves once more who asks, where they signed in a while ago. */
export const signInProofSchema = z.strictObject({ password: z.string().max(256).optional() });
/** Proves once more who asks. */
export type SignInProof = z.infer<typeof signInProofSchema>;
