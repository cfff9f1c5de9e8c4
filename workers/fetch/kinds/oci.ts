import { z } from "zod";
import { type LayerAddress, parseLayerAddress } from "@/domain/sources";
import type { Digest } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { digestOf } from "@/lib/server/digest";
import { tooLarge } from "../open-web";
import { Registry } from "./registry";
import type { SourceReader } from "./source-reader";

// An image of one layer, or one layer of it by its title: what `oras push` makes of files. Every blob is named by its digest.

/** More than any model of files has. */
const mostLayers = 64;

const digestSchema = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const descriptorSchema = z.object({
  mediaType: z.string(),
  digest: digestSchema,
  size: z.number().int().nonnegative(),
  annotations: z.record(z.string(), z.string()).optional(),
});
type Descriptor = z.infer<typeof descriptorSchema>;
const imageSchema = z.object({
  schemaVersion: z.literal(2),
  layers: z.array(descriptorSchema).min(1),
});
const indexSchema = z.object({
  schemaVersion: z.literal(2),
  manifests: z.array(descriptorSchema).min(1).max(1000),
});

const titleKey = "org.opencontainers.image.title";
/** The media types of images and of lists of images, of the OCI and of Docker before it. */
const wanted = [
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
].join(", ");

/** Reads registries of the OCI's Distribution specification. */
export const oci: SourceReader<"oci"> = {
  async open(address, connection, options) {
    const place = parseLayerAddress(address);
    const registry = new Registry(connection, options, place.repository);
    const layer = layerOf(await imageOf(registry, place), place);
    if (layer.size > options.limitBytes) throw tooLarge(options.limitBytes);
    const source = await registry.blob(layer.digest);
    return { ...source, sizeBytes: layer.size, digest: layer.digest as Digest };
  },
  test: (connection, options) => new Registry(connection, options).ping(),
};

/** The image that an address names; of a list of one, that one. @throws {AppError} */
async function imageOf(
  registry: Registry,
  { reference }: LayerAddress,
): Promise<z.infer<typeof imageSchema>> {
  let name = "tag" in reference ? reference.tag : reference.digest;
  for (let depth = 0; depth < 2; depth++) {
    const { text, digest } = await registry.manifest(name, wanted);
    const promised = name.startsWith("sha256:") ? name : digest;
    if (promised !== null && promised !== digestOf(text))
      throw fail("SOURCE_DIGEST_MISMATCH", "The registry sent another manifest than it names.", {
        details: { expected: promised, got: digestOf(text) },
      });
    const said = parseJson(text);
    const image = imageSchema.safeParse(said);
    if (image.success) return image.data;
    const index = indexSchema.safeParse(said);
    const [only, ...others] = index.data?.manifests ?? [];
    if (!only) throw notAnImage("its manifest has another form");
    if (others.length > 0)
      throw notAnImage(
        `it is a list of ${others.length + 1} images; name one of them by its digest, @sha256:…`,
      );
    name = only.digest;
  }
  throw notAnImage("it is a list of lists");
}

function layerOf({ layers }: z.infer<typeof imageSchema>, { title }: LayerAddress): Descriptor {
  if (layers.length > mostLayers)
    throw notAnImage(`it has ${layers.length} layers, at most ${mostLayers} are taken`);
  const titles = layers.flatMap(({ annotations }) => annotations?.[titleKey] ?? []);
  const [first, ...others] =
    title === null ? layers : layers.filter((each) => each.annotations?.[titleKey] === title);
  if (first && others.length === 0) return first;
  const known = titles
    .slice(0, 10)
    .map((each) => `#${each.replaceAll(/\p{Cc}/gu, "").slice(0, 80)}`)
    .join(", ");
  throw fail(
    "SOURCE_NOT_FOUND",
    title === null
      ? `The image has ${layers.length} layers, and the address names none of them.`
      : `The image has ${others.length === 0 && !first ? "no layer" : "several layers"} of the title ${title}.`,
    {
      field: "model.url",
      hint: known === "" ? "Its layers have no titles." : `Put one behind the address: ${known}.`,
    },
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notAnImage("its manifest is no JSON");
  }
}

const notAnImage = (why: string) =>
  fail("SOURCE_NOT_FOUND", `This is no image that a model can be read from: ${why}.`, {
    field: "model.url",
    hint: "Push the model as one layer: oras push registry.example.com/models/jets:v1 model.onnx.",
  });
