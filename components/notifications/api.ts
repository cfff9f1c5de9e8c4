import { queryOptions } from "@tanstack/react-query";
import { z } from "zod";
import { deleteJson, getJson, postJson } from "@/lib/common/api-client";
import {
  askedDeliverySchema,
  createdWebhookSchema,
  deliverySchema,
  mailRecipientSchema,
  type NewMailRecipient,
  type NewWebhook,
  notificationsSchema,
  pageOf,
} from "@/lib/common/contract";

const base = "/api/v1/notifications";
const deliveryPageSchema = pageOf(deliverySchema);
/** Nobody tells of deliveries: while one waits they are asked for often. */
const [waitingMs, quietMs] = [1500, 15_000];

/** Who is told of what. */
export const notificationsQuery = () =>
  queryOptions({
    queryKey: ["notifications", "settings"],
    queryFn: ({ signal }) => getJson(base, notificationsSchema, { signal }),
  });

/** What was sent to whom, the newest first. */
export const deliveriesQuery = (cursor: string | null) =>
  queryOptions({
    queryKey: ["notifications", "deliveries", cursor],
    queryFn: ({ signal }) =>
      getJson(
        `${base}/deliveries?limit=20${cursor === null ? "" : `&cursor=${cursor}`}`,
        deliveryPageSchema,
        { signal },
      ),
    refetchInterval: ({ state: { data } }) =>
      data?.items.some(({ state }) => state === "waiting") ? waitingMs : quietMs,
  });

export const addWebhook = (webhook: NewWebhook) =>
  postJson(`${base}/webhooks`, webhook, createdWebhookSchema);

export const addRecipient = (recipient: NewMailRecipient) =>
  postJson(`${base}/recipients`, recipient, mailRecipientSchema);

/** Where receivers of each kind are. */
export type ReceiverKind = "webhooks" | "recipients";

export const removeReceiver = (kind: ReceiverKind, id: string) =>
  deleteJson(`${base}/${kind}/${id}`, z.null());

export const sendTest = (kind: ReceiverKind, id: string) =>
  postJson(`${base}/${kind}/${id}/test`, {}, askedDeliverySchema);

export const redeliver = (id: string) =>
  postJson(`${base}/deliveries/${id}/redeliver`, {}, askedDeliverySchema);
