export { listBuildNotices, setBuildNotice } from "./build-notices";
export {
  addMailRecipient,
  addWebhook,
  redeliver,
  removeMailRecipient,
  removeWebhook,
  testReceiver,
} from "./commands";
export { claimDelivery, queueBuildEnd, settleDelivery } from "./deliveries";
export { listDeliveries, listNotifications } from "./queries";
export { openWebhookSecret, sealPlainSecrets, sealWebhooksAgain } from "./secrets";
export type { DeliveryOutcome, TakenDelivery } from "./types";
