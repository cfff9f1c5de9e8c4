import { Readable } from "node:stream";
import { z } from "zod";
import { openArtifactFile } from "@/domain/artifacts";
import { fileRoleSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";
import { idParams } from "../../../../_shared/params";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "artifacts.file",
  summary: "The bytes of one file of an artifact, by its role.",
  params: z.object({ ...idParams.shape, role: fileRoleSchema }),
  rawResponse: "application/octet-stream",
  handle: async ({ scope, params }) => {
    const { name, stream, sizeBytes } = await openArtifactFile(scope, params.id, params.role);
    return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, {
      headers: {
        "content-type": "application/octet-stream",
        "content-length": String(sizeBytes),
        "content-disposition": `attachment; filename="${name.replaceAll(/[^A-Za-z0-9._-]/g, "_")}"`,
        "content-security-policy": "sandbox",
      },
    });
  },
});
