export { type Consumer, startConsumer } from "./consumer";
export { createProducer, type Producer } from "./producer";
export type { QueueName } from "./settings";
