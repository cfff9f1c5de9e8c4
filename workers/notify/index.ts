export { startDeliverer } from "./deliverer";
export { type MailServer, mailServer } from "./send-mail";
export { signatureOf } from "./send-webhook";
