/** Bytes that grow: the few primitives of the WebAssembly binary format. */
export class ByteWriter {
  private bytes = new Uint8Array(256);
  private length = 0;

  byte(value: number): this {
    this.reserve(1);
    this.bytes[this.length++] = value;
    return this;
  }

  raw(values: ArrayLike<number>): this {
    this.reserve(values.length);
    this.bytes.set(values, this.length);
    this.length += values.length;
    return this;
  }

  /** Unsigned LEB128. */
  u32(value: number): this {
    let rest = value >>> 0;
    while (rest >= 0x80) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    return this.byte(rest);
  }

  /** Signed LEB128 of a 32-bit or 64-bit integer. */
  signed(value: bigint): this {
    let rest = value;
    for (;;) {
      const low = Number(rest & 0x7fn);
      rest >>= 7n;
      const done = (rest === 0n && low < 0x40) || (rest === -1n && low >= 0x40);
      this.byte(done ? low : low | 0x80);
      if (done) return this;
    }
  }

  name(text: string): this {
    return this.sized(new TextEncoder().encode(text));
  }

  /** Length first, then the bytes. */
  sized(values: ArrayLike<number>): this {
    return this.u32(values.length).raw(values);
  }

  get size(): number {
    return this.length;
  }

  finish(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }

  private reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }
}

export type IntegerType = "i32" | "i64";
export type ValueType = IntegerType | "f32" | "f64" | "v128";
const valueTypeByte = {
  i32: 0x7f,
  i64: 0x7e,
  f32: 0x7d,
  f64: 0x7c,
  v128: 0x7b,
} as const satisfies Record<ValueType, number>;

export interface FunctionSource {
  readonly parameters: readonly ValueType[];
  readonly results: readonly ValueType[];
  /** Types of the locals after the parameters, in index order. */
  readonly locals: readonly ValueType[];
  /** Instructions without the closing `end`. */
  readonly body: Uint8Array;
}

export interface ModuleSource {
  readonly functions: readonly FunctionSource[];
  /** Exported name → index into `functions`. */
  readonly exports: Readonly<Record<string, number>>;
  readonly memoryPages: number;
  /** Passive segments, for `memory.init`. */
  readonly segments?: readonly Uint8Array[];
  readonly customSection?: { readonly name: string; readonly text: string };
}

/** One WebAssembly module without imports, its memory exported as `memory`. Layout: core specification, chapter 5. */
export function encodeModule(module: ModuleSource): Uint8Array {
  const { segments = [], customSection } = module;
  const types = new Map<string, { index: number; bytes: Uint8Array }>();
  const typeOf = ({ parameters, results }: FunctionSource): number => {
    const key = `${parameters}>${results}`;
    const known = types.get(key);
    if (known) return known.index;
    const bytes = new ByteWriter()
      .byte(0x60)
      .sized(parameters.map((type) => valueTypeByte[type]))
      .sized(results.map((type) => valueTypeByte[type]))
      .finish();
    types.set(key, { index: types.size, bytes });
    return types.size - 1;
  };
  const typeIndexes = module.functions.map(typeOf);
  const exported = Object.entries(module.exports);

  const out = new ByteWriter().raw([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]);
  const section = (id: number, fill: (writer: ByteWriter) => void): void => {
    const writer = new ByteWriter();
    fill(writer);
    out.byte(id).sized(writer.finish());
  };

  section(1, (writer) => {
    writer.u32(types.size);
    for (const { bytes } of types.values()) writer.raw(bytes);
  });
  section(3, (writer) => {
    writer.u32(typeIndexes.length);
    for (const index of typeIndexes) writer.u32(index);
  });
  section(5, (writer) => {
    writer.u32(1).byte(0x01).u32(module.memoryPages).u32(module.memoryPages);
  });
  section(7, (writer) => {
    writer.u32(exported.length + 1);
    writer.name("memory").byte(0x02).u32(0);
    for (const [name, index] of exported) writer.name(name).byte(0x00).u32(index);
  });
  section(12, (writer) => writer.u32(segments.length));
  section(10, (writer) => {
    writer.u32(module.functions.length);
    for (const { locals, body } of module.functions) {
      const code = new ByteWriter();
      const runs = runsOf(locals);
      code.u32(runs.length);
      for (const { type, count } of runs) code.u32(count).byte(valueTypeByte[type]);
      code.raw(body).byte(0x0b);
      writer.sized(code.finish());
    }
  });
  section(11, (writer) => {
    writer.u32(segments.length);
    for (const segment of segments) writer.byte(0x01).sized(segment);
  });
  if (customSection) {
    const { name, text } = customSection;
    section(0, (writer) => {
      writer.name(name).raw(new TextEncoder().encode(text));
    });
  }
  return out.finish();
}

function runsOf(locals: readonly ValueType[]): { type: ValueType; count: number }[] {
  const runs: { type: ValueType; count: number }[] = [];
  for (const type of locals) {
    const last = runs.at(-1);
    if (last?.type === type) last.count += 1;
    else runs.push({ type, count: 1 });
  }
  return runs;
}
