import { listNotifications } from "@/domain/notifications";
import { notificationsSchema } from "@/lib/common/contract";
import { portalEnv } from "@/lib/server/env";
import { defineHandler } from "@/lib/server/handler";

export const dynamic = "force-dynamic";

export const GET = defineHandler({
  name: "notifications.list",
  needs: "members",
  summary: "Who is told of builds that end, by e-mail and by webhook; secrets are not among it.",
  response: notificationsSchema,
  handle: ({ scope }) => {
    const { SMTP_URL, SMTP_FROM } = portalEnv();
    return listNotifications(scope, SMTP_URL === undefined ? null : SMTP_FROM);
  },
});
