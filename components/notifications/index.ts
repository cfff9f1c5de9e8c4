export { notificationsQuery } from "./api";
export { NotificationSettings } from "./notification-settings";
