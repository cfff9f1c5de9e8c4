/**
 * Formats that are told apart. `zip`, `gzip`, `tar` and `json` are such files that are no model we know; a SavedModel is
 * a folder, of which `savedmodel-graph` is one file.
 */
export type Format =
  | "onnx"
  | "keras"
  | "keras-h5"
  | "tflite"
  | "savedmodel-graph"
  | "xgboost-json"
  | "xgboost-ubj"
  | "bondmachine-json"
  | "pickle"
  | "pytorch"
  | "joblib"
  | "html"
  | "zip"
  | "tar"
  | "gzip"
  | "json"
  | "empty"
  | "unknown";

/** Tells a file's format from its bytes. Its name is never asked: anybody can give any name to a file. */
export function sniff(bytes: Uint8Array): Format {
  if (bytes.length === 0) return "empty";
  return tests.find(([, test]) => test(bytes))?.[0] ?? "unknown";
}

const latin = new TextDecoder("latin1");

/** Bytes as text, one character each. */
function textAt(bytes: Uint8Array, from: number, to: number): string {
  return latin.decode(bytes.subarray(from, to));
}

const startsWith = (bytes: Uint8Array, magic: string, at = 0): boolean =>
  textAt(bytes, at, at + magic.length) === magic;

/** The first characters after a byte order mark and white space. */
const opening = (bytes: Uint8Array, length: number): string =>
  textAt(bytes, 0, 4096)
    .replace(/^\u00EF\u00BB\u00BF/, "")
    .trimStart()
    .slice(0, length);

const wordLimit = 1024 * 1024;

const tests: readonly (readonly [Format, (bytes: Uint8Array) => boolean])[] = [
  ["keras-h5", (bytes) => startsWith(bytes, "\x89HDF\r\n\x1a\n")],
  ["tflite", (bytes) => startsWith(bytes, "TFL3", 4)],
  ["pytorch", isPytorch],
  ["pickle", isPickle],
  [
    "keras",
    (bytes) =>
      isZip(bytes) && /metadata\.json|config\.json|model\.weights\.h5/.test(textAt(bytes, 30, 60)),
  ],
  ["zip", isZip],
  ["joblib", isZlib],
  ["gzip", (bytes) => startsWith(bytes, "\x1f\x8b\x08")],
  ["tar", isTar],
  ["html", (bytes) => /^<(!doctype\s+html|html|head|body|!--)/i.test(opening(bytes, 20))],
  ["xgboost-ubj", (bytes) => /^\{[LlIiU][^a-z]*learner/.test(textAt(bytes, 0, 20))],
  ["xgboost-json", (bytes) => isJson(bytes) && /"learner"/.test(textAt(bytes, 0, wordLimit))],
  ["bondmachine-json", isBondmachine],
  ["json", isJson],
  ["savedmodel-graph", isSavedModelGraph],
  ["onnx", isOnnx],
];

function isZip(bytes: Uint8Array): boolean {
  return startsWith(bytes, "PK\x03\x04") || startsWith(bytes, "PK\x05\x06");
}

/** A zip archive around a pickle, or older: pickles in a row, the first of which is a magic number. */
function isPytorch(bytes: Uint8Array): boolean {
  if (isZip(bytes))
    return /^[^/]{1,100}\/(data\.pkl|\.format_version|byteorder)/.test(textAt(bytes, 30, 200));
  return startsWith(bytes, "\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19");
}

/** The header of a zlib stream, which is how joblib packs its pickles. */
function isZlib(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes;
  return first === 0x78 && (first * 256 + second) % 31 === 0 && (second & 0x20) === 0;
}

/** Protocols 2 to 5 start with a marker; older ones are text that names a class or opens a list. */
function isPickle(bytes: Uint8Array): boolean {
  const [first, protocol] = bytes;
  if (first === 0x80 && protocol !== undefined && protocol >= 2 && protocol <= 5) return true;
  return /^(c[A-Za-z_][\w.]*\n[A-Za-z_][\w.]*\n|\(([dli]p?\d*\n|c[A-Za-z_][\w.]*\n))/.test(
    textAt(bytes, 0, 200),
  );
}

function isJson(bytes: Uint8Array): boolean {
  return /^(\{\s*["}]|\[\s*[[{"\d\]-])/.test(opening(bytes, 200));
}

/** The network JSON of BondMachine: lists of neurons and edges, whatever the case of its keys. */
function isBondmachine(bytes: Uint8Array): boolean {
  if (!isJson(bytes)) return false;
  const text = textAt(bytes, 0, wordLimit);
  return /"nodes"\s*:\s*\[/i.test(text) || /"weights"\s*:\s*\[\s*\{[^}]*"poscurrlayer"/i.test(text);
}

function isTar(bytes: Uint8Array): boolean {
  return bytes.length >= 512 && startsWith(bytes, "ustar", 257);
}

/** Schema version 1, then a graph that begins with a message about itself. */
function isSavedModelGraph(bytes: Uint8Array): boolean {
  if (!startsWith(bytes, "\x08\x01\x12")) return false;
  let position = 3;
  while (position < 8 && (bytes[position] ?? 0) >= 0x80) position += 1;
  return bytes[position + 1] === 0x0a;
}

/**
 * ONNX has no magic number: it is told by its outermost fields, which must be those of a model and include the version
 * and a graph, or its beginning in a file that is cut off.
 */
function isOnnx(bytes: Uint8Array): boolean {
  let position = 0;
  let hasVersion = false;
  const varint = (): number => {
    let value = 0;
    for (let index = 0; index < 10 && position < bytes.length; index += 1) {
      const byte = bytes[position] ?? 0;
      position += 1;
      value += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) return value;
    }
    return -1;
  };
  while (position < bytes.length) {
    const tag = varint();
    if (tag === 0x3a) return hasVersion || position < 64;
    if (tag === 0x08) hasVersion = true;
    if (!topLevelTags.has(tag)) return false;
    const value = varint();
    if (value < 0) return hasVersion;
    if (tag % 8 === 2) position += value;
  }
  return hasVersion && position > bytes.length;
}

/** Fields 1 to 8, 14, 20, 25 and 26 of a model with their wire types. */
const topLevelTags: ReadonlySet<number> = new Set([
  0x08, 0x12, 0x1a, 0x22, 0x28, 0x32, 0x3a, 0x42, 0x72, 0xa2, 0xca, 0xd2,
]);
