import { z } from "zod";
import { adopt, release } from "@/domain/board-servers";
import { newAdoptionSchema, releaseSchema, seenDeviceSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "sightings.adopt",
  needs: "admin",
  summary: "Makes a board of a device that a board server sees on USB.",
  body: newAdoptionSchema,
  response: seenDeviceSchema,
  status: 201,
  handle: ({ body }) => adopt(body),
});

export const DELETE = defineHandler({
  name: "sightings.release",
  needs: "admin",
  summary: "Gives up an adopted board that nothing is deployed on.",
  query: releaseSchema,
  response: z.strictObject({}),
  handle: async ({ query }) => {
    await release(query);
    return {};
  },
});
