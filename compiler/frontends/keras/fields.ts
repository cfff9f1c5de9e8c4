import { fail } from "@/lib/common/errors";
import { quoted } from "../../graph/words";

/** An object of a JSON file. */
export type Json = Readonly<Record<string, unknown>>;

/** Reads the configuration of one layer; every fault names the layer and the key. */
export interface Fields {
  /** What is there, unread. */
  raw(key: string): unknown;
  text(key: string, otherwise?: string): string;
  flag(key: string, otherwise: boolean): boolean;
  number(key: string, otherwise?: number): number;
  /** A positive whole number. */
  count(key: string, otherwise?: number): number;
  /** Whole numbers from 0: a list, or one number for all of `length`. */
  counts(key: string, length: number, otherwise?: number): readonly number[];
  /** The fields of an object inside. */
  inner(key: string): Fields;
  refuse(key: string, what: string): Error;
}

/** Whether a value is an object of a JSON file, and no list. */
export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** @param where The layer as people say it: "Layer `dense`". */
export function fieldsOf(where: string, json: unknown): Fields {
  const values: Json = isJson(json) ? json : {};
  const raw = (key: string): unknown =>
    Object.hasOwn(values, key) ? (values[key] ?? undefined) : undefined;
  const refuse = (key: string, what: string) =>
    fail("MODEL_INVALID", `${where} has a ${quoted(key)} that ${what}.`);
  const count = (key: string, value: unknown, least: number): number => {
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) return value;
    throw refuse(key, "is missing or no usable number");
  };
  return {
    raw,
    refuse,
    text: (key, otherwise) => {
      const value = raw(key) ?? otherwise;
      if (typeof value === "string") return value;
      throw refuse(key, "is missing or no text");
    },
    flag: (key, otherwise) => {
      const value = raw(key) ?? otherwise;
      if (typeof value === "boolean") return value;
      throw refuse(key, "is neither true nor false");
    },
    number: (key, otherwise) => {
      const value = raw(key) ?? otherwise;
      if (typeof value === "number" && Number.isFinite(value)) return value;
      throw refuse(key, "is missing or no number");
    },
    count: (key, otherwise) => count(key, raw(key) ?? otherwise, 1),
    counts: (key, length, otherwise) => {
      const value = raw(key) ?? otherwise;
      const list = Array.isArray(value) ? value : Array<unknown>(length).fill(value);
      if (list.length !== length) throw refuse(key, `does not have ${length} numbers`);
      return list.map((each) => count(key, each, 0));
    },
    inner: (key) => {
      const value = raw(key);
      if (!isJson(value)) throw refuse(key, "is missing or no object");
      return fieldsOf(where, value);
    },
  };
}
