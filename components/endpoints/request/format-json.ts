import { type JsonNode, parseJsonTree } from "./json-tree";

const widest = 60;

/**
 * JSON text as a person would write a request: short lists on one line, long ones in lines of equal width. Every number and text
 * stays as it is written. What is no JSON is answered as it is.
 */
export function formatJson(text: string): string {
  const parsed = parseJsonTree(text);
  return "root" in parsed ? format(parsed.root, text, "") : text;
}

/** The same on one line. */
export function compactJson(text: string): string {
  const parsed = parseJsonTree(text);
  return "root" in parsed ? compact(parsed.root, text) : text.replace(/\s*\n\s*/g, " ").trim();
}

function format(node: JsonNode, text: string, indent: string): string {
  const inner = `${indent}  `;
  if (node.kind === "array") {
    if (node.items.every(({ kind }) => kind !== "array" && kind !== "object")) {
      return list(node.items, text, indent);
    }
    const items = node.items.map((item) => format(item, text, indent));
    const isShort = items.join(", ").length <= widest && !items.some((item) => item.includes("\n"));
    const isOfLists = node.items.every(({ kind }) => kind === "array");
    if (isShort || !isOfLists) return `[${items.join(", ")}]`;
    const lines = node.items.map((item) => inner + format(item, text, inner));
    return `[\n${lines.join(",\n")}\n${indent}]`;
  }
  if (node.kind === "object") {
    if (node.members.length === 0) return "{}";
    const members = node.members.map(
      ({ key, value }) => `${inner}${JSON.stringify(key)}: ${format(value, text, inner)}`,
    );
    return `{\n${members.join(",\n")}\n${indent}}`;
  }
  return text.slice(node.from, node.to);
}

function list(items: readonly JsonNode[], text: string, indent: string): string {
  const parts = items.map(({ from, to }) => text.slice(from, to));
  const flat = `[${parts.join(", ")}]`;
  if (flat.length <= widest) return flat;
  const fitting = Math.max(4, Math.floor(widest / (flat.length / parts.length)));
  const perLine = parts.length % 8 === 0 && fitting >= 6 ? 8 : fitting;
  const lines: string[] = [];
  for (let at = 0; at < parts.length; at += perLine) {
    lines.push(`${indent}  ${parts.slice(at, at + perLine).join(", ")}`);
  }
  return `[\n${lines.join(",\n")}\n${indent}]`;
}

function compact(node: JsonNode, text: string): string {
  if (node.kind === "array") return `[${node.items.map((item) => compact(item, text)).join(",")}]`;
  if (node.kind === "object") {
    const members = node.members.map(
      ({ key, value }) => `${JSON.stringify(key)}:${compact(value, text)}`,
    );
    return `{${members.join(",")}}`;
  }
  return text.slice(node.from, node.to);
}

/** A JSON text as values, integers beyond 2^53 as text, so that no digit is lost; null for what is no JSON. */
export function parseLossless(text: string): unknown {
  const parsed = parseJsonTree(text);
  return "root" in parsed ? valueOfNode(parsed.root) : null;
}

function valueOfNode(node: JsonNode): unknown {
  switch (node.kind) {
    case "array":
      return node.items.map(valueOfNode);
    case "object":
      return Object.fromEntries(node.members.map(({ key, value }) => [key, valueOfNode(value)]));
    case "string":
      return node.text;
    case "number": {
      const value = Number(node.digits);
      return /^-?\d+$/.test(node.digits) && !Number.isSafeInteger(value) ? node.digits : value;
    }
    case "literal":
      return node.word === "null" ? null : node.word === "true";
  }
}
