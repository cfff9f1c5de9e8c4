import { z } from "zod";
import { isoTimeSchema } from "./names";
import { pageQuerySchema } from "./pages";

/** What somebody can be told of; a build that ran out of time failed. */
export const notificationEvents = ["build.succeeded", "build.failed", "build.cancelled"] as const;
const eventSchema = z.enum(notificationEvents);
/** Something that somebody is told of. */
export type NotificationEvent = z.infer<typeof eventSchema>;

const eventsSchema = z
  .array(eventSchema)
  .min(1, "Choose what to be told of.")
  .max(notificationEvents.length)
  .transform((events) => [...new Set(events)]);

/** An address that is told by POST, with a signature. */
export const webhookSchema = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(eventSchema),
  createdAt: isoTimeSchema,
});
/** An address that is told. */
export type Webhook = z.infer<typeof webhookSchema>;
/** What a webhook is made by. */
export const newWebhookSchema = z.strictObject({
  url: z.string().min(1).max(2048),
  events: eventsSchema,
});
/** What a webhook is made by. */
export type NewWebhook = z.output<typeof newWebhookSchema>;
/** A webhook that was just made; its secret is shown this once. */
export const createdWebhookSchema = webhookSchema.extend({ secret: z.string() });

/** Somebody who is told by e-mail. */
export const mailRecipientSchema = z.object({
  id: z.string(),
  address: z.string(),
  events: z.array(eventSchema),
  createdAt: isoTimeSchema,
});
/** Somebody who is told by e-mail. */
export type MailRecipient = z.infer<typeof mailRecipientSchema>;
/** What a recipient is made by. */
export const newMailRecipientSchema = z.strictObject({
  address: z.email("This is no e-mail address.").max(254),
  events: eventsSchema,
});
/** What a recipient is made by. */
export type NewMailRecipient = z.output<typeof newMailRecipientSchema>;

/** Who is told of what, and from which address e-mail comes; null: no SMTP server is set up. */
export const notificationsSchema = z.object({
  mailFrom: z.string().nullable(),
  recipients: z.array(mailRecipientSchema),
  webhooks: z.array(webhookSchema),
});
/** Who is told of what. */
export type Notifications = z.infer<typeof notificationsSchema>;

/** Receivers that are told of the end of one build, by their ids, whatever else they are told of. */
export const buildNoticesSchema = z.object({ receivers: z.array(z.string()) });
/** A receiver that is to be told of the end of one build, or no more. */
export const newBuildNoticeSchema = z.strictObject({
  /** Id of a webhook or of a recipient of e-mail. */
  receiver: z.string().min(1).max(200),
  told: z.boolean(),
});
/** A receiver that is to be told of the end of one build, or no more. */
export type NewBuildNotice = z.infer<typeof newBuildNoticeSchema>;

/** One message to one receiver, and how far it got. */
export const deliverySchema = z.object({
  id: z.string(),
  channel: z.enum(["webhook", "mail"]),
  address: z.string(),
  event: z.string(),
  /** The build that it tells of; null for a test. */
  buildId: z.string().nullable(),
  state: z.enum(["waiting", "delivered", "failed"]),
  tries: z.number().int(),
  /** What the receiver answered last: an HTTP status, or that of SMTP. */
  status: z.number().int().nullable(),
  problem: z.string().nullable(),
  createdAt: isoTimeSchema,
  triedAt: isoTimeSchema.nullable(),
  /** When it is tried next; null once it has ended. */
  nextAt: isoTimeSchema.nullable(),
  endedAt: isoTimeSchema.nullable(),
});
/** One message to one receiver. */
export type Delivery = z.infer<typeof deliverySchema>;
/** Which deliveries are listed. */
export const deliveriesQuerySchema = z.strictObject(pageQuerySchema.shape);

/** A delivery that was asked for: a test, or one again. */
export const askedDeliverySchema = z.object({ deliveryId: z.string() });
