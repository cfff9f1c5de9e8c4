import { randomBytes } from "node:crypto";
import type { idPrefixes } from "@/lib/common/contract";

type IdPrefix = (typeof idPrefixes)[keyof typeof idPrefixes];

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * A new key: 48 bits of Unix milliseconds, then 74 random bits, so that keys sort by the time of their making.
 *
 * @see RFC 9562, section 5.7
 */
export function uuidv7(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}

/** The id as the API shows it: `bld_<uuid>`. */
export function toId(prefix: IdPrefix, uuid: string): string {
  return `${prefix}_${uuid}`;
}

/** The uuid inside a shown id, or null if it is no id of that kind. */
export function parseId(prefix: IdPrefix, id: string): string | null {
  const uuid = id.startsWith(`${prefix}_`) ? id.slice(prefix.length + 1) : "";
  return uuidPattern.test(uuid) ? uuid : null;
}
