import { z } from "zod";
import { createEnrolment } from "@/domain/board-servers";
import { enrolmentSchema } from "@/lib/common/contract";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const POST = defineHandler({
  name: "boards.enrol",
  needs: "admin",
  summary: "Makes a single-use code with which one board server can enrol.",
  body: z.strictObject({}),
  response: enrolmentSchema,
  status: 201,
  handle: () => createEnrolment(),
});
