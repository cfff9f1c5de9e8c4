import { Readable } from "node:stream";
import { openArtifactArchive } from "@/domain/artifacts";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "artifacts.archive",
  needs: "firmware",
  summary:
    "An artifact as one tar file, for another installation: manifest, signature, public key and every file by its role.",
  params: idParams,
  rawResponse: "application/x-tar",
  handle: async ({ scope, params }) => {
    const { name, stream, sizeBytes } = await openArtifactArchive(scope, params.id);
    return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, {
      headers: {
        "content-type": "application/x-tar",
        "content-length": String(sizeBytes),
        "content-disposition": `attachment; filename="${name}"`,
        "cache-control": "private, no-store",
      },
    });
  },
});
