export { enqueue, markPublished } from "./commands";
export { takeOutbox } from "./queries";
export type { OutboxRow } from "./types";
