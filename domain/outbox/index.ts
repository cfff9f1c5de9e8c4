export { enqueue, markPublished } from "./commands";
export { isQueueAway, takeOutbox } from "./queries";
export type { OutboxRow } from "./types";
