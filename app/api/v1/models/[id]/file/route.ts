import { Readable } from "node:stream";
import { getModelDetail } from "@/domain/models";
import { fail } from "@/lib/common/errors";
import { defineHandler } from "@/lib/server/handler";
import { objectStore, parseStoreUrl } from "@/lib/server/storage";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "models.file",
  needs: "read",
  summary: "The bytes of a model that lies in the store of the installation.",
  params: idParams,
  rawResponse: "application/octet-stream",
  handle: async ({ scope, params }) => {
    const { url, name } = await getModelDetail(scope, params.id);
    const place = parseStoreUrl(url, scope);
    if (!place) {
      throw fail("NOT_FOUND", "The bytes of this model are not kept here.", {
        hint: "Get them from the model's own address.",
      });
    }
    const { stream, sizeBytes } = await objectStore().get(place.bucket, place.key);
    return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, {
      headers: {
        "content-type": "application/octet-stream",
        "content-length": String(sizeBytes),
        "content-disposition": `attachment; filename="${name.replaceAll(/[^A-Za-z0-9._-]/g, "_")}"`,
        "cache-control": "private, no-store",
      },
    });
  },
});
