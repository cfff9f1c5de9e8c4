import type { Endpoint } from "@/lib/common/contract";

const widest = 60;

/** JSON as a person would write a request: short lists on one line, long ones in lines of equal width. */
export function formatRequest(value: unknown, indent = ""): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    if (value.every((item) => item === null || typeof item !== "object")) {
      const items = value.map((item) => JSON.stringify(item));
      const flat = `[${items.join(", ")}]`;
      if (flat.length <= widest) return flat;
      const perLine =
        value.length % 8 === 0 ? 8 : Math.max(4, Math.floor(widest / (flat.length / items.length)));
      const lines: string[] = [];
      for (let at = 0; at < items.length; at += perLine) {
        lines.push(inner + items.slice(at, at + perLine).join(", "));
      }
      return `[\n${lines.join(",\n")}\n${indent}]`;
    }
    return `[${value.map((item) => formatRequest(item, indent)).join(", ")}]`;
  }
  if (value !== null && typeof value === "object") {
    const members = Object.entries(value).map(
      ([key, each]) => `${inner}${JSON.stringify(key)}: ${formatRequest(each, inner)}`,
    );
    return members.length === 0 ? "{}" : `{\n${members.join(",\n")}\n${indent}}`;
  }
  return JSON.stringify(value) ?? "null";
}

/** A valid request: the endpoint's own sample, else one row of zeros in the declared shapes. */
export function sampleRequest({ sample, inputs }: Pick<Endpoint, "sample" | "inputs">): unknown {
  if (sample !== null && typeof sample === "object") return sample;
  return {
    inputs: inputs.map(({ name, datatype, shape }) => {
      const sizes = shape.map((size) => (size < 0 ? 1 : size));
      const count = sizes.reduce((total, size) => total * size, 1);
      const zero = datatype === "BYTES" ? "" : datatype === "BOOL" ? false : 0;
      return { name, shape: sizes, datatype, data: Array.from({ length: count }, () => zero) };
    }),
  };
}

/** The same request with other values, each drawn between the smallest and the largest of its input. */
export function shuffledRequest(request: unknown, random: () => number): unknown {
  if (!isRequest(request)) return request;
  return {
    ...request,
    inputs: request.inputs.map((input) => {
      const values = input.data.flat(8);
      if (!values.every((value) => typeof value === "number")) return input;
      const low = Math.min(...values);
      const high = Math.max(...values);
      const whole = values.every(Number.isInteger);
      const draw = () => low + random() * (high - low || 1);
      return {
        ...input,
        data: values.map(() => (whole ? Math.round(draw()) : Number(draw().toFixed(3)))),
      };
    }),
  };
}

interface RequestLike {
  readonly inputs: readonly { readonly data: readonly unknown[] }[];
}

function isRequest(value: unknown): value is RequestLike {
  if (value === null || typeof value !== "object" || !("inputs" in value)) return false;
  const { inputs } = value;
  return (
    Array.isArray(inputs) &&
    inputs.every(
      (input) => input !== null && typeof input === "object" && Array.isArray(input.data),
    )
  );
}
