import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Consumer, createProducer, type Producer, startConsumer } from "@/lib/server/queue";
import { startRedis, type TestRedis } from "./redis-server";

let redis: TestRedis;
let producer: Producer;
let consumer: Consumer | undefined;
const seen: unknown[] = [];
const errors: Error[] = [];
const onError = (error: Error) => errors.push(error);

const listen = () =>
  startConsumer({
    url: redis.url,
    queue: "build",
    concurrency: 1,
    onError,
    run: async (payload) => {
      seen.push(payload);
      if (JSON.stringify(payload).includes("throw")) throw new Error("job failed");
    },
  });
const job = (jobId: string, payload = { buildId: jobId }) =>
  ({ queue: "build", jobId, payload }) as const;
const until = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 30_000, interval: 20 });

beforeAll(async () => {
  redis = await startRedis();
  producer = createProducer({ url: redis.url, onError });
  await until(async () => {
    await producer.isLive("build", "none");
  });
});
afterAll(async () => {
  await consumer?.close(true);
  await producer.close();
  await redis.stop();
});

describe("queue", () => {
  it("keeps a job until somebody listens, one per id", async () => {
    await producer.add(job("build-a-1"));
    await producer.add(job("build-a-1"));
    expect(await producer.isLive("build", "build-a-1")).toBe(true);
    consumer = listen();
    await until(() => expect(seen).toEqual([{ buildId: "build-a-1" }]));
    await until(async () => expect(await producer.isLive("build", "build-a-1")).toBe(false));
  });

  it("never gives a failed job a second time", async () => {
    await producer.add(job("build-b-1", { buildId: "throw" }));
    await until(() => expect(errors.map(({ message }) => message)).toContain("job failed"));
    await producer.add(job("build-b-2"));
    await until(() => expect(seen).toContainEqual({ buildId: "build-b-2" }));
    expect(seen).toHaveLength(3);
  });

  it("fails fast while Redis is away, and goes on by itself when it is back and empty", async () => {
    await redis.kill();
    const started = performance.now();
    await expect(producer.add(job("build-c-1"))).rejects.toThrow();
    expect(performance.now() - started).toBeLessThan(20_000);
    await redis.start();
    await until(() => producer.add(job("build-d-1")));
    await until(() => expect(seen).toContainEqual({ buildId: "build-d-1" }));
  });
});
