import { getStorageUse } from "@/domain/storage-use";
import { storageUseSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "settings.storage",
  needs: "read",
  summary: "What artifacts, models, logs and the database take, and what nothing needs any more.",
  response: storageUseSchema,
  handle: ({ scope }) => getStorageUse(scope),
});
