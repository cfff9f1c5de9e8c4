import { Readable } from "node:stream";
import { z } from "zod";
import { getArtifactFile, openArtifactFile } from "@/domain/artifacts";
import { fileRoleSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "artifacts.file",
  needs: "firmware",
  summary:
    "The bytes of one file of an artifact, by its role; they never change, so they may be kept.",
  params: z.object({ ...idParams.shape, role: fileRoleSchema }),
  rawResponse: "application/octet-stream",
  handle: async ({ scope, params, request }) => {
    const { digest } = await getArtifactFile(scope, params.id, params.role);
    const cached = { etag: `"${digest}"`, "cache-control": "private, max-age=31536000, immutable" };
    if (isSame(request.headers.get("if-none-match"), cached.etag)) {
      return new Response(null, { status: 304, headers: cached });
    }
    const { name, stream, sizeBytes } = await openArtifactFile(scope, params.id, params.role);
    return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, {
      headers: {
        ...cached,
        "content-type": "application/octet-stream",
        "content-length": String(sizeBytes),
        "content-disposition": `attachment; filename="${name.replaceAll(/[^A-Za-z0-9._-]/g, "_")}"`,
      },
    });
  },
});

/** Whether a list of entity tags, as `If-None-Match` has it, names this one. */
const isSame = (list: string | null, etag: string): boolean =>
  (list ?? "")
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .some((tag) => tag === etag || tag === "*");
