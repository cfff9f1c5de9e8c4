import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { unzipSync } from "fflate";
import type { Random } from "@/compiler/random";
import { inspectionSchema } from "@/lib/common/contract";
import { readCells, readRows } from "@/lib/common/rows";
import { firmwareFiles, manifestOf, membersOf } from "@/tests/support/artifact-archive";
import {
  ecp5Bitstream,
  gowinBitstream,
  ice40Bitstream,
  xclbinFile,
  xilinxBitstream,
} from "@/tests/support/bitstreams";
import { tarOf, untar } from "@/tests/support/tar-file";
import { inspectModel } from "@/workers/inspect/inspect-model";
import { chance, pick } from "../random-of";
import { type Members, oddGzip, oddTar, oddZip, zipOf } from "./archives";
import { damage } from "./damage";
import { spoilJson } from "./json";
import { spoilProtobuf } from "./protobuf";
import { spoilNpy, spoilText } from "./rows";
import { spoilUbj } from "./ubj";

/** A file made by seed. */
interface OddFile {
  readonly bytes: Uint8Array;
  /** True: it must be refused, whatever else. */
  readonly breaksRule?: boolean;
}

/** A kind of file that comes from outside, and what of the product reads it. */
export interface Subject {
  readonly name: string;
  /** A library of others reads it, which a damaged file can hold for ever: an inspection is ended then, `INSPECTION_TIMED_OUT`. */
  readonly mayHold?: boolean;
  make(random: Random): OddFile;
  /** Answers in a word what the file was taken for; throws why it was not. */
  read(bytes: Uint8Array): Promise<string>;
}

/** As a worker does it, up to the answer that is stored and sent. */
async function inspect(bytes: Uint8Array): Promise<string> {
  const { inspection } = await inspectModel(bytes, null);
  return inspectionSchema.parse(JSON.parse(JSON.stringify(inspection))).format;
}

const fixture = (path: string) => readFileSync(join("tests/fixtures", path));
const once = <T>(make: () => T): (() => T) => {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
};
/** Small files: most of a large one is weights. */
function filesIn(folder: string, ending: string): Buffer[] {
  const names = readdirSync(join("tests/fixtures", folder), { recursive: true }) as string[];
  return names
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => fixture(join(folder, name)))
    .filter(({ length }) => length < 60_000);
}

const onnx = once(() => [
  ...filesIn("models", ".onnx"),
  ...filesIn("bad", "-op.onnx"),
  fixture("qonnx/dense.onnx"),
]);
const ubj = once(() => [...filesIn("xgboost", ".ubj"), fixture("formats/model.ubj")]);
const xgboostJson = once(() =>
  filesIn("xgboost", ".json").filter((bytes) => bytes.includes('"learner"')),
);
const keras = once(() => [...filesIn("keras", ".keras"), ...filesIn("hgq2", ".keras")]);
const h5 = once(() => [...filesIn("models", ".h5"), fixture("formats/model.h5")]);
const networks = once(() => filesIn("bondmachine/neuralbond", "net.json"));
const savedModels = once(() =>
  [
    ...filesIn("models", "saved_model.tar.gz").map((bytes) => gunzipSync(bytes)),
    fixture("savedmodel/pair.tar"),
    ...filesIn("savedmodel", ".tar.gz").map((bytes) => gunzipSync(bytes)),
  ].map((bytes) => [...untar(bytes)].filter(([name]) => !name.endsWith("/"))),
);
const bitstreams = once(() => [
  ice40Bitstream({ width: 64, height: 32 }),
  ice40Bitstream(),
  ecp5Bitstream(),
  Buffer.from(gowinBitstream().join("\n")),
  xilinxBitstream(),
  xclbinFile(),
]);
const artifact = once(() => membersOf(firmwareFiles, manifestOf(firmwareFiles)));

const kerasMembers = (bytes: Uint8Array): Members => Object.entries(unzipSync(bytes));

/** The same members, one of them spoilt by what it is. */
function spoilMember(
  members: Members,
  random: Random,
  spoil: (name: string, content: Uint8Array) => Uint8Array,
): Members {
  const [chosen] = pick(members, random);
  return members.map(([name, content]) => [name, name === chosen ? spoil(name, content) : content]);
}

const archived = (members: Members, random: Random): Uint8Array =>
  chance(2, random) ? zipOf(members) : tarOf(members);

/** An artifact whose manifest somebody spoilt before signing it. */
function signedAnew(random: Random): Members {
  const manifest = spoilJson(JSON.stringify(manifestOf(firmwareFiles)), random);
  try {
    return membersOf(firmwareFiles, JSON.parse(Buffer.from(manifest).toString()));
  } catch {
    // It is no JSON: there is nothing that could be signed.
    return artifact();
  }
}

const files = (all: () => readonly Uint8Array[], random: Random) =>
  [pick(all(), random), pick(all(), random)] as const;

/** A kind of model that is one JSON text. */
const jsonModel = (name: string, all: () => readonly Uint8Array[]): Subject => ({
  name,
  read: inspect,
  make(random) {
    const [one, other] = files(all, random);
    return { bytes: chance(4, random) ? damage(one, random, other) : spoilJson(`${one}`, random) };
  },
});

/** Every kind of file that is inspected, and every kind of rows. */
export const subjects: readonly Subject[] = [
  {
    name: "onnx",
    read: inspect,
    make(random) {
      const [one, other] = files(onnx, random);
      const spoil = chance(4, random) ? damage : spoilProtobuf;
      return { bytes: spoil(one, random, other) };
    },
  },
  {
    name: "xgboost-ubj",
    read: inspect,
    make(random) {
      const [one, other] = files(ubj, random);
      return { bytes: chance(4, random) ? damage(one, random, other) : spoilUbj(one, random) };
    },
  },
  jsonModel("xgboost-json", xgboostJson),
  {
    name: "keras",
    mayHold: true,
    read: inspect,
    make(random) {
      const [one, other] = files(keras, random);
      if (chance(5, random)) return { bytes: damage(one, random, other) };
      const members = spoilMember(kerasMembers(one), random, (name, content) =>
        name.endsWith(".json")
          ? spoilJson(Buffer.from(content).toString(), random)
          : damage(content, random, pick(h5(), random)),
      );
      return { bytes: zipOf(members) };
    },
  },
  {
    name: "keras-h5",
    mayHold: true,
    read: inspect,
    make(random) {
      const [one, other] = files(h5, random);
      return { bytes: damage(one, random, other) };
    },
  },
  {
    name: "savedmodel",
    read: inspect,
    make(random) {
      const [one, other] = [pick(savedModels(), random), pick(savedModels(), random)];
      const members = spoilMember(one, random, (name, content) =>
        name.endsWith(".pb") && content.length > 0 && !chance(4, random)
          ? spoilProtobuf(content, random, content)
          : damage(content, random, other[0]?.[1] ?? content),
      );
      return { bytes: archived(members, random) };
    },
  },
  jsonModel("bondmachine", networks),
  {
    name: "bitstream",
    read: inspect,
    make(random) {
      const [one, other] = files(bitstreams, random);
      return { bytes: damage(one, random, other) };
    },
  },
  {
    name: "artifact",
    read: inspect,
    make(random) {
      if (chance(2, random)) return { bytes: archived(signedAnew(random), random) };
      const members = spoilMember(artifact(), random, (name, content) =>
        name.endsWith(".json") && !chance(4, random)
          ? spoilJson(Buffer.from(content).toString(), random)
          : damage(content, random, content),
      );
      return { bytes: archived(members, random) };
    },
  },
  ...(
    [
      ["zip", oddZip],
      ["tar", oddTar],
      ["tar.gz", oddGzip],
    ] as const
  ).map(
    ([name, make]): Subject => ({
      name,
      read: inspect,
      make: (random) => make(pick(savedModels(), random), random),
    }),
  ),
  {
    name: "rows",
    make: (random) => ({ bytes: chance(2, random) ? spoilNpy(random) : spoilText(random) }),
    async read(bytes) {
      const { rows } = readRows(bytes, 4, "rows");
      if (!rows.values.every(Number.isFinite)) throw new Error("rows that are no numbers");
      return "rows";
    },
  },
  {
    name: "cells",
    make: (random) => ({ bytes: spoilText(random) }),
    async read(bytes) {
      const { rows } = readCells(Buffer.from(bytes).toString(), "cells");
      if (rows.some(({ length }) => length !== rows[0]?.length)) throw new Error("uneven rows");
      return "cells";
    },
  },
];
