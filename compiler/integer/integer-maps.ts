/**
 * Nodes of integer graphs over feature maps. A map of `height × width × channels` values is stored flat, channels last:
 * element `(y · width + x) · channels + c`.
 */

export interface MapShape {
  readonly height: number;
  readonly width: number;
  readonly channels: number;
}

/**
 * How a node sees the flat values that it reads: element (y, x, c) is
 * `values[first + y · strides[0] + x · strides[1] + c · strides[2]]`.
 */
export interface MapView extends MapShape {
  /** Left out: 0. One of several inputs begins behind those before it. */
  readonly first?: number;
  readonly strides: readonly [y: number, x: number, c: number];
}

/** What an output pixel sees of the input: rows `y · strides[0] − padding[0] + k · dilations[0]`, columns alike. */
export interface Window {
  readonly kernel: readonly [height: number, width: number];
  readonly strides: readonly [y: number, x: number];
  readonly dilations: readonly [y: number, x: number];
  /** Rows above and columns left of the map; those below and right follow from the size of the output. */
  readonly padding: readonly [top: number, left: number];
}

/** `accumulator[y, x, o] = bias[o] + Σ weights[o][k][l][c] · input[y, x, k, l, c]`, exact. */
export interface ConvolutionNode {
  readonly op: "convolution";
  readonly name: string;
  readonly from: number;
  readonly input: MapView;
  readonly output: MapShape;
  readonly window: Window;
  /** What lies outside of the map: the integer that stands for 0. */
  readonly paddingValue: number;
  /** Output channels are split into so many groups; each sees its own share of the input channels. */
  readonly groups: number;
  /** Row-major `[output channel][kernel row][kernel column][input channel of the group]`, signed, `weightWidth` bits. */
  readonly weights: readonly number[];
  readonly weightWidth: number;
  readonly bias: readonly number[];
  /** Bits an accumulator needs for any input of its format. */
  readonly accumulatorWidth: number;
}

/** The largest value of each window, channel by channel; what is outside of the map does not count. */
export interface MaxPoolNode {
  readonly op: "max-pool";
  readonly name: string;
  readonly from: number;
  readonly input: MapView;
  readonly output: MapShape;
  readonly window: Window;
  /** The least value of the format: what lies outside of the map. */
  readonly paddingValue: number;
}

/** `accumulator[i] = factors[0] · a[i] + factors[1] · b[i] + bias`, exact. */
export interface AddNode {
  readonly op: "add";
  readonly name: string;
  readonly from: readonly [number, number];
  /** Powers of two that bring both onto one grid; left out: 1, they have one format. */
  readonly factors?: readonly [number, number];
  /** Left out: 0. */
  readonly bias?: number;
  readonly output: MapShape;
  readonly accumulatorWidth: number;
}

/**
 * Matrices of two maps multiplied: `accumulator[y · matrices + x, o] = bias[o] + Σ_c left[y, x, c] · right[x, c, o]`, exact.
 * The right is signed, of at most 8 bits, and read by nothing else: a map of matrices by what is summed over by columns.
 */
export interface ProductNode {
  readonly op: "product";
  readonly name: string;
  readonly from: readonly [left: number, right: number];
  /** The left as rows by matrices by what is summed over. */
  readonly input: MapView;
  readonly output: MapShape;
  /** One for each column. */
  readonly bias: readonly number[];
  readonly accumulatorWidth: number;
}

/** The channels of several maps beside each other. */
export interface ConcatNode {
  readonly op: "concat";
  readonly name: string;
  readonly from: readonly number[];
  readonly channels: readonly number[];
  readonly output: MapShape;
}

/** A node that makes a feature map, told apart by `op`. */
export type MapNode = ConvolutionNode | MaxPoolNode | AddNode | ProductNode | ConcatNode;

/** Values of a map. */
export const sizeOf = ({ height, width, channels }: MapShape): number => height * width * channels;
