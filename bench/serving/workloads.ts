import { exportOnnx } from "@/compiler";
import { type Random, randomFrom } from "@/compiler/random";

// Untrained nets of the sizes of three reference workloads: what they answer means nothing, what they cost does.

export interface Workload {
  readonly name: string;
  readonly batch: number;
  /** Shapes of one row. */
  readonly input: readonly number[];
  readonly output: readonly number[];
  readonly bytes: Uint8Array;
  readonly parameters: number;
}

type Graph = Parameters<typeof exportOnnx>[0];

/** Collects operators and random weights; each method answers the name of its result. */
class Net {
  private readonly nodes: Graph["nodes"][number][] = [];
  private readonly constants = new Map<
    string,
    Graph["constants"] extends ReadonlyMap<string, infer C> ? C : never
  >();
  private readonly random: Random;

  constructor(seed: number) {
    this.random = randomFrom(seed);
  }

  node(operator: string, inputs: string[], attributes: Graph["nodes"][number]["attributes"] = {}) {
    const name = `${operator.toLowerCase()}_${this.nodes.length + 1}`;
    this.nodes.push({ name, operator, domain: "", inputs, outputs: [name], attributes });
    return name;
  }

  weight(shape: readonly number[], fanIn: number): string {
    const name = `weight_${this.constants.size}`;
    const size = shape.reduce((product, each) => product * each, 1);
    // Uniform numbers of the variance that He proposes for layers with relu.
    const bound = fanIn === 0 ? 0 : Math.sqrt(6 / fanIn);
    const values = Float64Array.from({ length: size }, () =>
      Math.fround((this.random.uniform() * 2 - 1) * bound),
    );
    this.constants.set(name, { name, datatype: "FP32", shape, values });
    return name;
  }

  dense(x: string, inputs: number, outputs: number): string {
    const [kernel, bias] = [this.weight([outputs, inputs], inputs), this.weight([outputs], 0)];
    return this.node("Gemm", [x, kernel, bias], { transB: 1 });
  }

  conv(x: string, inputs: number, outputs: number, { side = 3, stride = 1 } = {}): string {
    const pad = Math.floor(side / 2);
    const kernel = this.weight([outputs, inputs, side, side], inputs * side * side);
    return this.node("Conv", [x, kernel, this.weight([outputs], 0)], {
      kernel_shape: [side, side],
      strides: [stride, stride],
      pads: [pad, pad, pad, pad],
    });
  }

  relu(x: string): string {
    return this.node("Relu", [x]);
  }

  pool(x: string, side: number, pad: number): string {
    return this.node("MaxPool", [x], {
      kernel_shape: [side, side],
      strides: [2, 2],
      pads: [pad, pad, pad, pad],
    });
  }

  finish(
    name: string,
    batch: number,
    input: readonly number[],
    last: string,
    width: number,
  ): Workload {
    const output = this.node("Identity", [last]);
    const spec = (tensor: string, shape: readonly number[]) => ({
      name: tensor,
      datatype: "FP32" as const,
      shape: [-1, ...shape],
    });
    const bytes = exportOnnx({
      inputs: [spec("input", input)],
      outputs: [spec(output, [width])],
      nodes: this.nodes.map((node) => node),
      constants: this.constants,
      shapes: new Map(),
      opset: 17,
    });
    const parameters = [...this.constants.values()].reduce(
      (sum, { values }) => sum + values.length,
      0,
    );
    return { name, batch, input, output: [width], bytes, parameters };
  }
}

/** FACILE: 15 inputs, about 2 k parameters, 16,000 rows at a time. */
export function facile(): Workload {
  const net = new Net(1);
  const sizes = [15, 36, 32, 8, 3, 1];
  let x = "input";
  for (const [index, outputs] of sizes.slice(1).entries()) {
    x = net.dense(x, sizes[index] ?? 1, outputs);
    if (index < sizes.length - 2) x = net.relu(x);
  }
  return net.finish("facile", 16_000, [15], x, 1);
}

/** DeepCalo: a calorimeter image of 56 × 11 × 4, about 2 M parameters, 10 at a time. */
export function deepcalo(): Workload {
  const net = new Net(2);
  let x = net.node("Transpose", ["input"], { perm: [0, 3, 1, 2] });
  x = net.relu(net.conv(x, 4, 16, { side: 5 }));
  let channels = 16;
  for (const width of [32, 64, 128]) {
    x = net.relu(net.conv(x, channels, width));
    x = net.relu(net.conv(x, width, width));
    x = net.pool(x, 2, 0);
    channels = width;
  }
  for (const width of [256, 256]) {
    x = net.relu(net.conv(x, channels, width));
    channels = width;
  }
  x = net.node("Flatten", [x]);
  x = net.relu(net.dense(x, 1792, 400));
  x = net.relu(net.dense(x, 400, 200));
  return net.finish("deepcalo", 10, [56, 11, 4], net.dense(x, 200, 1), 1);
}

/** A ResNet-18 on images of 224 × 224, 11.7 M parameters, 10 at a time. */
export function resnet(): Workload {
  const net = new Net(3);
  let x = net.pool(net.relu(net.conv("input", 3, 64, { side: 7, stride: 2 })), 3, 1);
  let channels = 64;
  for (const [stage, width] of [64, 128, 256, 512].entries()) {
    for (const block of [0, 1]) {
      const stride = stage > 0 && block === 0 ? 2 : 1;
      const inner = net.relu(net.conv(x, channels, width, { stride }));
      const sum = net.conv(inner, width, width);
      if (channels !== width) x = net.conv(x, channels, width, { side: 1, stride });
      x = net.relu(net.node("Add", [sum, x]));
      channels = width;
    }
  }
  x = net.node("Flatten", [net.node("GlobalAveragePool", [x])]);
  return net.finish("resnet", 10, [3, 224, 224], net.dense(x, 512, 1000), 1000);
}
