const thin = "\u2009";

/** A quantity as people read it, its unit apart so that it can be set smaller. */
export interface Quantity {
  readonly value: string;
  readonly unit: string;
}

const join = ({ value, unit }: Quantity) => (unit === "" ? value : `${value}${thin}${unit}`);

const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** A count with thousands separators. */
export function formatCount(count: number): string {
  return grouped.format(count);
}

/** Three significant digits, without trailing noise: 0.196, 4.10, 23.5, 412. */
export function formatDigits(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && size < 0.0005) return value.toExponential(1);
  if (size < 1) return value.toFixed(3);
  if (size < 10) return value.toFixed(2);
  if (size < 100) return value.toFixed(1);
  return formatCount(value);
}

/** A duration in the largest unit that keeps it above one: `0.3 s`, `41 s`, `1 min 04 s`, `1 h 04 min`. */
export function formatDuration(durationMs: number): string {
  if (!Number.isFinite(durationMs) || durationMs < 0) return "–";
  if (durationMs < 1) return join({ value: formatDigits(durationMs * 1000), unit: "µs" });
  if (durationMs < 100) return join({ value: String(Math.round(durationMs)), unit: "ms" });
  const seconds = durationMs / 1000;
  if (seconds < 9.95) return join({ value: seconds.toFixed(1), unit: "s" });
  const whole = Math.round(seconds);
  if (whole < 60) return join({ value: String(whole), unit: "s" });
  const two = (n: number) => String(n).padStart(2, "0");
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}${thin}min ${two(whole % 60)}${thin}s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours}${thin}h ${two(minutes % 60)}${thin}min`;
  return `${Math.floor(hours / 24)}${thin}d ${two(hours % 24)}${thin}h`;
}

/** A time of nanoseconds to seconds, three digits, the unit apart. */
export function quantityOfNs(ns: number): Quantity {
  if (ns < 1e3) return { value: formatDigits(ns), unit: "ns" };
  if (ns < 1e6) return { value: formatDigits(ns / 1e3), unit: "µs" };
  if (ns < 1e9) return { value: formatDigits(ns / 1e6), unit: "ms" };
  return { value: formatDigits(ns / 1e9), unit: "s" };
}

/** A duration with its unit: `1.2 µs`. */
export function formatNs(ns: number): string {
  return join(quantityOfNs(ns));
}

/** A size in binary units: `14 KiB`. */
export function quantityOfBytes(bytes: number): Quantity {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let value = bytes;
  let step = 0;
  while (value >= 1024 && step < units.length - 1) {
    value /= 1024;
    step += 1;
  }
  const shown = step === 0 || value >= 10 ? Math.round(value).toString() : value.toFixed(1);
  return { value: shown, unit: units[step] ?? "B" };
}

/** A size in binary units, with the unit: `14 KiB`. */
export function formatBytes(bytes: number): string {
  return join(quantityOfBytes(bytes));
}

/** A clock in MHz, with at most one decimal. */
export function formatMhz(hz: number): string {
  const mhz = hz / 1e6;
  return join({ value: Number.isInteger(mhz) ? String(mhz) : mhz.toFixed(1), unit: "MHz" });
}

/** A share as percent; exactly 1 is `100 %`, anything below never rounds up to it. */
export function quantityOfShare(share: number): Quantity {
  const percent = share * 100;
  if (percent === 100 || percent === 0) return { value: String(percent), unit: "%" };
  const shown = percent.toFixed(1);
  return { value: shown === "100.0" ? "99.9" : shown, unit: "%" };
}

/** A share 0..1 as percent: `97.3 %`. */
export function formatShare(share: number): string {
  return join(quantityOfShare(share));
}

/** How long ago, coarse on purpose: exact times are one hover away. The words are in `ui.age`. */
export function ageOf(
  fromMs: number,
  nowMs: number,
): { readonly unit: "now" | "seconds" | "minutes" | "hours" | "days"; readonly count: number } {
  const seconds = Math.max(0, Math.round((nowMs - fromMs) / 1000));
  if (seconds < 5) return { unit: "now", count: 0 };
  if (seconds < 60) return { unit: "seconds", count: seconds };
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return { unit: "minutes", count: minutes };
  const hours = Math.round(minutes / 60);
  if (hours < 48) return { unit: "hours", count: hours };
  return { unit: "days", count: Math.round(hours / 24) };
}

/** `sha256:4be1…9c02`: enough to recognise; the full one is always copied. */
export function shortDigest(digest: string): string {
  const [algorithm, hex] = digest.split(":");
  if (algorithm === undefined || hex === undefined || hex.length < 12) return digest;
  return `${algorithm}:${hex.slice(0, 4)}…${hex.slice(-4)}`;
}

/** The last eight digits of a row id: where ids that are made one after the other differ. */
export function shortId(id: string): string {
  return id.slice(-8);
}

/** `[−1, 64]` with a true minus sign. */
export function formatShape(shape: readonly number[]): string {
  return `[${shape.map((size) => (size < 0 ? `−${-size}` : String(size))).join(", ")}]`;
}
