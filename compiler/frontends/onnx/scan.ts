import { type AppError, fail } from "@/lib/common/errors";
import { counted, quoted } from "../../graph/words";
import { limits } from "./limits";
import { type FieldKind, type MessageKind, wireSchema } from "./wire-schema";

interface Frame {
  readonly kind: MessageKind;
  readonly end: number;
  /** Of a tensor: where it says that its elements lie, when they are not in the file. */
  name: string;
  isExternal: boolean;
  location: string;
  /** Of an entry: its key. */
  key: string;
}

const isMessage = (kind: FieldKind): kind is MessageKind => kind in wireSchema;

/** Which wire types a field may have: 0 varint, 1 eight bytes, 2 length and bytes, 5 four bytes. Lists may be packed. */
const wireTypes: Readonly<Record<string, readonly number[]>> = {
  varint: [0],
  float: [5],
  varints: [0, 2],
  floats: [5, 2],
  doubles: [1, 2],
};

const text = new TextDecoder();

/**
 * Walks the wire format of an ONNX file once, without decoding or recursion, and refuses what must not be decoded:
 * a file that is cut off, bytes that are no protobuf, more of anything than `limits` says, weights in other files.
 *
 * @throws {AppError} `MODEL_TRUNCATED`, `MODEL_INVALID`, `MODEL_TOO_COMPLEX` or `MODEL_EXTERNAL_DATA`.
 */
export function scanOnnx(bytes: Uint8Array): void {
  new Scanner(bytes).run();
}

class Scanner {
  private position = 0;
  private fields = 0;
  private nodes = 0;
  private tensors = 0;
  private numbers = 0;
  private graphs = 0;
  private readonly bytes: Uint8Array;
  private readonly stack: Frame[];

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.stack = [frameOf("model", bytes.length)];
  }

  run(): void {
    for (let frame = this.stack.at(-1); frame !== undefined; frame = this.stack.at(-1)) {
      if (this.position < frame.end) {
        this.field(frame);
      } else {
        this.stack.pop();
        this.close(frame);
      }
    }
    if (this.graphs === 0) throw fail("MODEL_INVALID", "The file has no graph.");
  }

  private field(frame: Frame): void {
    const start = this.position;
    this.fields = this.count(this.fields, limits.fields, "fields");
    const tag = this.varint(frame);
    const number = Math.floor(tag / 8);
    const wire = tag % 8;
    if (number < 1 || number >= 2 ** 29 || wire === 3 || wire === 4 || wire > 5) {
      throw invalid(start);
    }
    const kind = wireSchema[frame.kind][number];
    if (kind !== undefined && !(wireTypes[kind] ?? [2]).includes(wire)) throw invalid(start);

    if (wire === 0) {
      const value = this.varint(frame);
      if (kind === "varints") this.listed(1);
      if (frame.kind === "tensor" && number === 14) frame.isExternal ||= value === 1;
      return;
    }
    const length = wire === 1 ? 8 : wire === 5 ? 4 : this.varint(frame);
    if (length > frame.end - this.position) throw this.overrun(start, length, frame);
    if (kind !== undefined && isMessage(kind)) {
      this.open(kind, length, frame);
      return;
    }
    this.leaf(kind, wire, length, { frame, number });
    this.position += length;
  }

  private open(kind: MessageKind, length: number, parent: Frame): void {
    if (this.stack.length >= limits.depth) {
      throw fail(
        "MODEL_TOO_COMPLEX",
        `The model is nested more than ${limits.depth} messages deep.`,
      );
    }
    if (kind === "node") this.nodes = this.count(this.nodes, limits.nodes, "nodes");
    if (kind === "tensor") this.tensors = this.count(this.tensors, limits.tensors, "tensors");
    if (kind === "entry") parent.isExternal = true;
    if (kind === "graph" && parent.kind === "model") {
      this.graphs += 1;
      if (this.graphs > 1) throw fail("MODEL_INVALID", "The file holds more than one graph.");
    }
    this.stack.push(frameOf(kind, this.position + length));
  }

  private leaf(
    kind: FieldKind | undefined,
    wire: number,
    length: number,
    { frame, number }: { frame: Frame; number: number },
  ): void {
    if (kind === "name") this.name(frame, number, length);
    if (frame.kind === "entry" && number === 2 && frame.key === "location") {
      frame.location = text.decode(
        this.bytes.subarray(this.position, this.position + Math.min(length, limits.nameBytes)),
      );
    }
    if (kind === "floats") this.listed(wire === 5 ? 1 : length / 4);
    if (kind === "doubles") this.listed(wire === 1 ? 1 : length / 8);
    if (kind === "varints") this.listed(this.varintsIn(length));
  }

  private name(frame: Frame, number: number, length: number): void {
    if (length > limits.nameBytes) {
      throw fail("MODEL_TOO_COMPLEX", `A name at byte ${this.position} is ${length} bytes long.`);
    }
    if (frame.kind === "tensor") frame.name = this.textOf(length);
    if (frame.kind === "entry" && number === 1) frame.key = this.textOf(length);
  }

  /** Called at the end of a message: an entry tells its tensor the location, an external tensor ends the reading. */
  private close(frame: Frame): void {
    const parent = this.stack.at(-1);
    if (frame.kind === "entry" && parent !== undefined && frame.location !== "") {
      parent.location = frame.location;
    }
    if (frame.kind === "tensor" && frame.isExternal) throw externalData(frame);
  }

  private listed(numbers: number): void {
    this.numbers += numbers;
    if (this.numbers > limits.listedNumbers) {
      throw fail(
        "MODEL_TOO_COMPLEX",
        `The model lists more than ${limits.listedNumbers.toLocaleString("en")} numbers one by one.`,
        { hint: "Save it again with weights as raw data, as exporters do by default." },
      );
    }
  }

  private count(before: number, limit: number, what: string): number {
    if (before < limit) return before + 1;
    throw fail(
      "MODEL_TOO_COMPLEX",
      `The model has more than ${limit.toLocaleString("en")} ${what}.`,
    );
  }

  /** Reads up to ten bytes. The result is exact below 2^53, which is all that lengths and tags need. */
  private varint(frame: Frame): number {
    const start = this.position;
    let value = 0;
    for (let index = 0; index < 10; index += 1) {
      if (this.position >= frame.end) throw this.overrun(start, index + 1, frame);
      const byte = this.bytes[this.position] ?? 0;
      this.position += 1;
      value += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) return value;
    }
    throw invalid(start);
  }

  private varintsIn(length: number): number {
    let count = 0;
    for (let index = this.position; index < this.position + length; index += 1) {
      if ((this.bytes[index] ?? 0) < 0x80) count += 1;
    }
    return count;
  }

  private textOf(length: number): string {
    return text.decode(this.bytes.subarray(this.position, this.position + length));
  }

  /** A field that is longer than what holds it: of the file itself, then the rest is missing. */
  private overrun(start: number, length: number, frame: Frame): AppError {
    if (frame.kind !== "model") return invalid(start);
    const size = this.bytes.length;
    return fail(
      "MODEL_TRUNCATED",
      `The file ends at byte ${size}, in the middle of a field that starts at byte ${start} and needs ${counted(length, "byte")}.`,
      { hint: "It is likely an incomplete download: compare its size with the source." },
    );
  }
}

function frameOf(kind: MessageKind, end: number): Frame {
  return { kind, end, name: "", isExternal: false, location: "", key: "" };
}

function invalid(position: number): AppError {
  return fail("MODEL_INVALID", `The file is not valid ONNX: byte ${position} starts no field.`, {
    hint: "It may have been damaged on the way; download or export it again.",
  });
}

function externalData({ name, location }: Frame): AppError {
  const parts = location.split(/[\\/]/);
  const leaves =
    parts.includes("..") || /^([\\/]|[A-Za-z]:)/.test(location) || location.includes("\0");
  return fail(
    "MODEL_EXTERNAL_DATA",
    leaves
      ? `Weight ${quoted(name)} points outside of the model's folder; no such file is ever opened.`
      : `Weight ${quoted(name)} lies in another file, which is never opened.`,
    { hint: "Save the model as one file, with its weights inside." },
  );
}
