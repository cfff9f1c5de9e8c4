export { type Consumer, type ConsumerOptions, startConsumer } from "./consumer";
export { createProducer, type Producer, type QueuedJob } from "./producer";
export { type QueueName, queueNames } from "./settings";
