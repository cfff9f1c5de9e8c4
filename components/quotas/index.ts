export { QuotaSettings } from "./quota-settings";
