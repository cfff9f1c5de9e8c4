export { NotificationSettings } from "./notification-settings";
