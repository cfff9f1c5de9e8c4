import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { LogLine } from "@/lib/common/contract";
import { type AppError, fail } from "@/lib/common/errors";
import { LogWriter, type LogWriterOptions } from "./writer";

const line = (text: string) =>
  ({ stage: "synthesise", stream: "stdout", level: "info", text }) as const;

function setUp(options: Partial<LogWriterOptions> = {}) {
  const chunks: (readonly LogLine[])[] = [];
  const writer = new LogWriter({
    append: async (lines) => {
      chunks.push(lines);
    },
    spillPath: join(mkdtempSync(join(tmpdir(), "spill-")), "log"),
    ...options,
  });
  return { writer, chunks, lines: () => chunks.flat() };
}
const numbers = (lines: readonly LogLine[]) => lines.map(({ n }) => n);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe("LogWriter", () => {
  it("stores lines soon, without being asked to", async () => {
    const { writer, lines } = setUp();
    writer.write(line("a"));
    writer.write(line("b"));
    await expect.poll(() => lines().map(({ text }) => text)).toEqual(["a", "b"]);
    await writer.close();
  });

  it("numbers densely and keeps chunks below 64 KiB", async () => {
    const { writer, chunks, lines } = setUp();
    for (let i = 0; i < 2000; i++) writer.write(line("x".repeat(100)));
    await writer.close();
    expect(numbers(lines())).toEqual(upTo(2000));
    for (const chunk of chunks) expect(chunk.length * 101).toBeLessThanOrEqual(64 * 1024);
  });

  it("keeps the beginning and the end of a log over its limit, and says what is missing", async () => {
    const limits = { stored: 100_000, tail: 20_000 };
    const { writer, lines } = setUp({ limits });
    for (let i = 1; i <= 5000; i++) writer.write(line(`line ${i} ${"x".repeat(50)}`));
    expect(writer.truncated).toBe(true);
    await writer.close();
    const texts = lines().map(({ text }) => text);
    expect(texts.reduce((sum, text) => sum + text.length + 1, 0)).toBeLessThan(limits.stored);
    expect(numbers(lines())).toEqual(upTo(texts.length));
    expect(texts[0]).toMatch(/^line 1 /);
    expect(texts.at(-1)).toMatch(/^line 5000 /);
    const note = texts.findIndex((text) => text.includes("left out"));
    const [, before] = /^line (\d+)/.exec(texts[note - 1] ?? "") ?? [];
    const [, after] = /^line (\d+)/.exec(texts[note + 1] ?? "") ?? [];
    expect(Number(after) - Number(before) - 1).toBe(Number(/\d+/.exec(texts[note] ?? "")?.[0]));
  });

  it("shows controls in lines of our own, cuts them, and keeps the colours of tools", async () => {
    const { writer, lines } = setUp();
    writer.write({ ...line("a\0b\u001b[31m\nforged \ud800"), stream: "boardwalk" });
    writer.write({ ...line(`${"x".repeat(200_000)}`), stream: "boardwalk" });
    writer.write(line("\u001b[31mred \ud800"));
    await writer.close();
    const [own, long, tool] = lines().map(({ text }) => text);
    expect(own).toBe("a␀b␛[31m␊forged \\u{d800}");
    expect(long?.length).toBeLessThan(20_000);
    expect(tool).toBe("\u001b[31mred \\u{d800}");
  });

  it("keeps the end of a log of a million short lines without effort", async () => {
    const limits = { stored: 4 * 2 ** 20, tail: 2 ** 20 };
    const { writer, lines } = setUp({ limits });
    const started = process.cpuUsage();
    for (let i = 1; i <= 1_000_000; i++) writer.write(line(`y${i}`));
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1e6).toBeLessThan(20);
    await writer.close();
    expect(lines().at(-1)?.text).toBe("y1000000");
    expect(lines().length).toBeLessThan(40_000);
  });
});

describe("LogWriter, whose store does not take lines at once", () => {
  it("goes on while the store is away, and stores all in order when it is back", async () => {
    let away = true;
    const stored: LogLine[] = [];
    const { writer } = setUp({
      memoryBytes: 1000,
      append: async (lines) => {
        if (away) throw fail("STORE_UNAVAILABLE", "away");
        stored.push(...lines);
      },
    });
    for (let i = 0; i < 300; i++) {
      writer.write(line(`line ${i} ü`));
      if (i % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 60));
    }
    away = false;
    await writer.close();
    expect(numbers(stored)).toEqual(upTo(300));
    expect(stored.map(({ text }) => text)).toEqual(upTo(300).map((n) => `line ${n - 1} ü`));
  });

  it("ends with what the store says when it refuses lines for what they are", async () => {
    const onLost = vi.fn();
    const { writer } = setUp({
      onLost,
      append: async () => {
        throw Object.assign(new Error("unsupported Unicode escape sequence"), { code: "22P05" });
      },
    });
    writer.write(line("a"));
    await writer.close();
    expect(onLost).toHaveBeenCalledOnce();
    const [{ reason, message }] = onLost.mock.lastCall as [AppError];
    expect(reason).toBe("LOG_UNSTORABLE");
    expect(message).toContain("22P05");
  });

  it("gives up a store that is away when its patience ends, and not before", async () => {
    const append = vi.fn(async () => {
      throw fail("STORE_UNAVAILABLE", "away");
    });
    const { writer } = setUp({ append });
    writer.write(line("a"));
    const patience = new AbortController();
    const closed = writer.close(patience.signal);
    await vi.waitFor(() => expect(append.mock.calls.length).toBeGreaterThan(1), 20_000);
    patience.abort();
    await closed;
  });

  it("has whoever writes faster than the store takes wait for room", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { writer, lines } = setUp({ memoryBytes: 10_000, append: () => gate });
    let isFree = false;
    for (let i = 0; i < 200; i++) writer.write(line("x".repeat(100)));
    const waiting = writer.room().then(() => {
      isFree = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(isFree).toBe(false);
    release();
    await waiting;
    await writer.close();
    expect(lines()).toEqual([]);
  });

  it("stops at once when somebody else holds the lease", async () => {
    const onLost = vi.fn();
    const { writer } = setUp({
      onLost,
      append: async () => {
        throw fail("LEASE_LOST", "newer epoch");
      },
    });
    writer.write(line("a"));
    await writer.close();
    expect(onLost).toHaveBeenCalledOnce();
  });
});
