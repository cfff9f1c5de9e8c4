import { createTranslator } from "next-intl";
import { describe, expect, it } from "vitest";
import { messages } from "@/messages/en";
import {
  ageOf,
  formatBytes,
  formatDuration,
  formatNs,
  formatShape,
  formatShare,
  shortDigest,
} from "./format";

const t = createTranslator({ locale: "en", messages, namespace: "ui.age" });

const plain = (text: string) => text.replaceAll("\u2009", " ");

describe("formatting", () => {
  it.each([
    [0.5, "500 µs", "below a millisecond counts micro"],
    [42, "42 ms", "short ones in milliseconds"],
    [300, "0.3 s", "a tenth of a second is enough"],
    [9400, "9.4 s", "one decimal below ten"],
    [9960, "10 s", "never 10.0 s"],
    [59_600, "1 min 00 s", "rounding carries into minutes"],
    [64_000, "1 min 04 s", "seconds with two digits"],
    [3_840_000, "1 h 04 min", "hours drop the seconds"],
    [Number.NaN, "–", "unknown is a dash"],
  ])("writes %d ms as %s: %s", (ms, text) => {
    expect(plain(formatDuration(ms))).toBe(text);
  });

  it("keeps three digits of a time in nanoseconds", () => {
    expect(plain(formatNs(16_333))).toBe("16.3 µs");
    expect(plain(formatNs(1_910_000))).toBe("1.91 ms");
  });

  it("counts bytes in binary units", () => {
    expect(plain(formatBytes(14_336))).toBe("14 KiB");
    expect(plain(formatBytes(900))).toBe("900 B");
    expect(plain(formatBytes(1_600_000))).toBe("1.5 MiB");
  });

  it("never rounds a share up to 100 %", () => {
    expect(plain(formatShare(1))).toBe("100 %");
    expect(plain(formatShare(0.99999))).toBe("99.9 %");
  });

  it("ages in words", () => {
    const said = (ms: number) => {
      const { unit, count } = ageOf(0, ms);
      return plain(t(unit, { count }));
    };
    expect(said(1000)).toBe("just now");
    expect(said(30_000)).toBe("30 s ago");
    expect(said(90_000)).toBe("2 min ago");
    expect(said(3 * 3_600_000)).toBe("3 h ago");
    expect(said(3 * 86_400_000)).toBe("3 days ago");
  });

  it("shortens digests from both ends", () => {
    expect(shortDigest(`sha256:4be1${"0".repeat(56)}9c02`)).toBe("sha256:4be1…9c02");
  });

  it("writes shapes with a true minus", () => {
    expect(formatShape([-1, 64])).toBe("[−1, 64]");
  });
});
