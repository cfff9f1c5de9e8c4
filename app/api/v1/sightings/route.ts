import { listSightings } from "@/domain/board-servers";
import { pageOf, seenDeviceSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "sightings.list",
  needs: "read",
  summary: "Devices on USB of the board servers' hosts that may be boards, adopted or not.",
  response: pageOf(seenDeviceSchema),
  handle: async () => ({ items: await listSightings(), nextCursor: null }),
});
