export { startDeliverer } from "./deliverer";
export { mailServer } from "./send-mail";
