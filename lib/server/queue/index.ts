export { type Consumer, startConsumer } from "./consumer";
export { pingRedis } from "./ping-redis";
export { createProducer, type Producer } from "./producer";
export type { QueueName } from "./settings";
