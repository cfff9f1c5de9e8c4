import { CodeWriter, type FunctionSource, type IntegerType, type Opcode } from "@/lib/common/wasm";
import type { Node, Operation } from "./circuit";
import { type Cleanliness, machineBits, maskConstant, typeOf } from "./cleanliness";
import type { Design, MemoryWrite } from "./design";
import type { Layout, MemoryPlace } from "./layout";
import type { Commit } from "./program";

/** Expressions nest no deeper than this, for the sake of the engine's stack and ours. */
const maxNesting = 50;

/** What all functions of a program have in common. */
export interface Shared {
  readonly cleanliness: Cleanliness;
  readonly design: Design;
  readonly layout: Layout;
}

/** Operations that are one instruction on two operands of one machine type. */
const binaryInstructions = {
  and: "and",
  or: "or",
  xor: "xor",
  add: "add",
  sub: "sub",
  mul: "mul",
  shl: "shl",
  shru: "shr_u",
  divu: "div_u",
  remu: "rem_u",
  eq: "eq",
  ltu: "lt_u",
} as const satisfies Partial<Record<Operation, string>>;
type BinaryInstruction = (typeof binaryInstructions)[keyof typeof binaryInstructions];

/** What one function, or one block of a function, works on. */
export interface Task {
  /** What it computes, operands first. */
  readonly nodes: readonly Node[];
  /** Nodes that need a local, because a commit or a block takes them. */
  readonly kept: ReadonlySet<Node>;
  /** Slots of values that cross functions. */
  readonly spills: ReadonlyMap<Node, number>;
}

/** Writes one function without parameters or results. */
export class FunctionEmitter {
  private readonly code: CodeWriter;
  private readonly locals: IntegerType[];
  private readonly localOf = new Map<Node, number>();
  private readonly uses = new Map<Node, number>();
  private readonly nesting = new Map<Node, number>();
  private readonly own: ReadonlySet<Node>;
  private readonly shared: Shared;
  private readonly task: Task;
  private readonly outer: FunctionEmitter | undefined;
  /** Whether values of slots are fetched where they are first used rather than before everything else. */
  private fetchesLate = false;

  constructor(shared: Shared, task: Task, outer?: FunctionEmitter) {
    this.shared = shared;
    this.task = task;
    this.outer = outer;
    this.code = outer?.code ?? new CodeWriter();
    this.locals = outer?.locals ?? [];
    this.own = new Set(task.nodes);
    for (const node of task.nodes) for (const arg of node.args) this.countUse(arg);
  }

  compute(): void {
    const { nodes, kept } = this.task;
    for (const node of kept) if (node.op === "load") this.assign(node, () => this.fetch(node));
    for (const [node, uses] of this.uses) {
      if (uses > 1 && this.isFetched(node)) this.assign(node, () => this.fetch(node));
    }
    for (const node of nodes) this.computeNode(node);
  }

  /** Computes and stores one value after the other. No value may be made of a slot that an earlier one is stored in. */
  transfer(stores: readonly { readonly node: Node; readonly offset: number }[]): void {
    this.fetchesLate = true;
    for (const { node } of stores) this.countUse(node);
    const place = new Map(this.task.nodes.map((node, index) => [node, index]));
    let next = 0;
    for (const { node, offset } of stores) {
      const last = place.get(node) ?? -1;
      while (next <= last) {
        const computed = this.task.nodes[next++];
        if (computed) this.computeNode(computed);
      }
      this.store(node, offset);
    }
  }

  /** What `emit` writes happens only when `gate` is not 0. */
  when(gate: Node, emit: (block: (task: Task) => FunctionEmitter) => void): void {
    this.push(gate);
    this.code.open("if");
    emit((task) => new FunctionEmitter(this.shared, task, this));
    this.code.op("end");
  }

  commit(commit: Commit): void {
    if (commit.kind === "store") this.store(commit.node, commit.offset);
    else this.write(commit.write);
  }

  finish(): FunctionSource {
    return { parameters: [], results: [], locals: this.locals, body: this.code.finish() };
  }

  private countUse(node: Node): void {
    this.uses.set(node, (this.uses.get(node) ?? 0) + 1);
  }

  private computeNode(node: Node): void {
    const spill = this.task.spills.get(node);
    if (spill === undefined && this.isInlined(node)) return;
    this.assign(node, () => (node.op === "load" ? this.fetch(node) : this.expression(node)));
    if (spill !== undefined) this.store(node, spill);
  }

  /** The local that holds a value. A slot may have changed since the function around this block has read it. */
  private findLocal(node: Node): number | undefined {
    return this.localOf.get(node) ?? (node.op === "load" ? undefined : this.outer?.findLocal(node));
  }

  /** Whether the value comes from a slot rather than from this function's own computing. */
  private isFetched(node: Node): boolean {
    return node.op !== "const" && this.findLocal(node) === undefined && !this.own.has(node);
  }

  /** A value used once is computed where it is used. */
  private isInlined(node: Node): boolean {
    const depth = 1 + Math.max(0, ...node.args.map((arg) => this.nesting.get(arg) ?? 0));
    const inlined = this.uses.get(node) === 1 && !this.task.kept.has(node) && depth < maxNesting;
    this.nesting.set(node, inlined ? depth : 0);
    return inlined;
  }

  private assign(node: Node, compute: () => void): void {
    compute();
    this.code.index("local.set", this.addLocal(node));
  }

  private addLocal(node: Node): number {
    const local = this.locals.length;
    this.locals.push(typeOf(node));
    this.localOf.set(node, local);
    return local;
  }

  /** Pushes a value that lies in a slot. */
  private fetch(node: Node): void {
    const offset = this.task.spills.get(node);
    this.code
      .constant("i32", 0n)
      .memory(
        `${typeOf(node)}.load`,
        node.op === "load" && (offset === undefined || this.own.has(node))
          ? this.shared.layout.slotOffset(node.index)
          : (offset ?? 0),
      );
  }

  private store(node: Node, offset: number): void {
    this.code.constant("i32", 0n);
    this.push(node);
    this.code.memory(`${typeOf(node)}.store`, offset);
  }

  private write({ memory, enable, address, data, mask }: MemoryWrite): void {
    const place = placeOf(this.shared.layout, memory);
    const always = enable.op === "const";
    if (!always) {
      this.push(enable);
      this.code.open("if");
    }
    this.pushElementAddress(address, place);
    if (mask) {
      const type = typeOf(data);
      this.pushElementAddress(address, place);
      this.code.memory(loadOf(place), place.offset);
      this.push(mask);
      this.code.constant(type, -1n).op(`${type}.xor`).op(`${type}.and`);
      this.push(data);
      this.push(mask);
      this.code.op(`${type}.and`).op(`${type}.or`);
    } else {
      this.push(data);
    }
    this.code.memory(storeOf(place), place.offset);
    if (!always) this.code.op("end");
  }

  private pushElementAddress(address: Node, { elementBytes }: MemoryPlace): void {
    this.pushAs(address, "i32");
    const scale = Math.log2(elementBytes);
    if (scale > 0) this.code.constant("i32", BigInt(scale)).op("i32.shl");
  }

  /** Pushes a node's machine word. */
  private push(node: Node): void {
    const local = this.findLocal(node);
    if (node.op === "const") this.code.constant(typeOf(node), node.value);
    else if (local !== undefined) this.code.index("local.get", local);
    else if (this.isFetched(node)) {
      this.fetch(node);
      const isKept = this.fetchesLate && (this.uses.get(node) ?? 0) > 1;
      if (isKept) this.code.index("local.tee", this.addLocal(node));
    } else this.expression(node);
  }

  private pushAs(node: Node, type: IntegerType): void {
    this.push(node);
    const from = typeOf(node);
    if (from === "i32" && type === "i64") this.code.op("i64.extend_i32_u");
    if (from === "i64" && type === "i32") this.code.op("i32.wrap_i64");
  }

  /** Pushes a node sign-extended to its machine word. */
  private pushSigned(node: Node): void {
    const type = typeOf(node);
    const bits = machineBits(node);
    if (node.op === "const") {
      this.code.constant(type, BigInt.asIntN(node.width, node.value));
      return;
    }
    this.push(node);
    const extended = node.op === "sext" && !this.shared.cleanliness.isMasked(node);
    if (extended || node.width === bits) return;
    if (node.width === 8) this.code.op(`${type}.extend8_s`);
    else if (node.width === 16) this.code.op(`${type}.extend16_s`);
    else {
      const gap = BigInt(bits - node.width);
      this.code.constant(type, gap).op(`${type}.shl`).constant(type, gap).op(`${type}.shr_s`);
    }
  }

  /** Pushes the result of a node's operation, masked where the analysis asks for it. */
  private expression(node: Node): void {
    this.operation(node);
    if (this.shared.cleanliness.isMasked(node)) {
      const type = typeOf(node);
      this.code.constant(type, maskConstant(node)).op(`${type}.and`);
    }
  }

  private operation(node: Node): void {
    const { code } = this;
    const type = typeOf(node);
    const [a, b, c] = node.args;
    if (!a) throw new RangeError(`${node.op} has no operand`);
    const inner = typeOf(a);
    const instruction = (binaryInstructions as Partial<Record<Operation, BinaryInstruction>>)[
      node.op
    ];
    if (instruction && b) {
      const isZeroTest = node.op === "eq" && b.op === "const" && b.value === 0n;
      this.push(a);
      if (isZeroTest) code.op(`${inner}.eqz`);
      else {
        this.pushAs(b, inner);
        code.op(`${inner}.${instruction}`);
      }
      return;
    }
    switch (node.op) {
      case "not":
        this.push(a);
        if (node.width === 1) code.op("i32.eqz");
        else {
          const clean = this.shared.cleanliness.isClean(a);
          code.constant(type, clean ? maskConstant(node) : -1n).op(`${type}.xor`);
        }
        break;
      case "shrs":
        this.pushSigned(a);
        if (b) this.pushAs(b, type);
        code.op(`${type}.shr_s`);
        break;
      case "lts":
        this.pushSigned(a);
        if (b) this.pushSigned(b);
        code.op(`${inner}.lt_s`);
        break;
      case "mux":
        if (b) this.push(b);
        if (c) this.push(c);
        this.push(a);
        code.op("select");
        break;
      case "slice":
        this.push(a);
        if (node.index > 0) code.constant(inner, BigInt(node.index)).op(`${inner}.shr_u`);
        if (inner !== type) code.op("i32.wrap_i64");
        break;
      case "concat":
        this.concat(node, type);
        break;
      case "zext":
        this.pushAs(a, type);
        break;
      case "sext":
        this.pushSigned(a);
        if (inner !== type) code.op("i64.extend_i32_s");
        break;
      case "parity":
        this.push(a);
        code.op(`${inner}.popcnt`);
        if (inner === "i64") code.op("i32.wrap_i64");
        code.constant("i32", 1n).op("i32.and");
        break;
      case "read": {
        const place = placeOf(this.shared.layout, node.index);
        this.pushElementAddress(a, place);
        code.memory(loadOf(place), place.offset);
        break;
      }
      default:
        throw new RangeError(`${node.op} is not computed`);
    }
  }

  private concat(node: Node, type: IntegerType): void {
    let low = 0;
    let pushed = false;
    for (const part of node.args) {
      const isZero = part.op === "const" && part.value === 0n;
      if (!isZero) {
        this.pushAs(part, type);
        if (low > 0) this.code.constant(type, BigInt(low)).op(`${type}.shl`);
        if (pushed) this.code.op(`${type}.or`);
        pushed = true;
      }
      low += part.width;
    }
  }
}

function placeOf(layout: Layout, memory: number): MemoryPlace {
  const place = layout.memories[memory];
  if (!place) throw new RangeError(`no memory ${memory}`);
  return place;
}

function loadOf({ elementBytes }: MemoryPlace): Opcode {
  return ({ 1: "i32.load8_u", 2: "i32.load16_u", 4: "i32.load", 8: "i64.load" } as const)[
    elementBytes
  ];
}

function storeOf({ elementBytes }: MemoryPlace): Opcode {
  return ({ 1: "i32.store8", 2: "i32.store16", 4: "i32.store", 8: "i64.store" } as const)[
    elementBytes
  ];
}
