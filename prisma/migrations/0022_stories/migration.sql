-- What the forecast of its plan says that a build takes.
ALTER TABLE "build" ADD COLUMN "expected_ms" INTEGER;

-- Stages, counts and problems of a log, kept while it grows: who opens a log reads these and the lines that are in view.
ALTER TABLE "attempt" ADD COLUMN "log_outline" JSONB;

-- How many builds a worker runs at once.
ALTER TABLE "build_worker" ADD COLUMN "slots" INTEGER NOT NULL DEFAULT 1;

-- What is usual for an engine on a board; how the last builds of a model went; who waits and who runs.
CREATE INDEX "build_usual" ON "build"("engine", "board_model", "id") WHERE "state" = 'succeeded' AND "reused_from_id" IS NULL;
CREATE INDEX "build_by_model" ON "build"("project_id", md5("model_url"), "id");
CREATE INDEX "build_under_way" ON "build"("id") WHERE "state" IN ('queued', 'preparing', 'running');

-- Who is told of builds that end, and what was sent to whom.
CREATE TABLE "webhook" (
  "id" UUID NOT NULL,
  "project_id" UUID NOT NULL,
  "url" TEXT NOT NULL,
  "events" JSONB NOT NULL,
  "secret" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  CONSTRAINT "webhook_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "webhook_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "webhook_project_id_idx" ON "webhook"("project_id");

CREATE TABLE "mail_recipient" (
  "id" UUID NOT NULL,
  "project_id" UUID NOT NULL,
  "address" TEXT NOT NULL,
  "events" JSONB NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  CONSTRAINT "mail_recipient_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "mail_recipient_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "mail_recipient_project_id_address_key" ON "mail_recipient"("project_id", "address");

CREATE TABLE "delivery" (
  "id" UUID NOT NULL,
  "project_id" UUID NOT NULL,
  "channel" TEXT NOT NULL,
  "target_id" UUID NOT NULL,
  "address" TEXT NOT NULL,
  "event" TEXT NOT NULL,
  "payload" JSONB NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'waiting',
  "tries" INTEGER NOT NULL DEFAULT 0,
  "next_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  "status" INTEGER,
  "problem" TEXT,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  "tried_at" TIMESTAMPTZ(6),
  "ended_at" TIMESTAMPTZ(6),
  CONSTRAINT "delivery_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "delivery_channel_known" CHECK ("channel" IN ('webhook', 'mail')),
  CONSTRAINT "delivery_state_known" CHECK ("state" IN ('waiting', 'delivered', 'failed')),
  CONSTRAINT "delivery_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "delivery_project_id_id_idx" ON "delivery"("project_id", "id");
CREATE INDEX "delivery_waiting" ON "delivery"("next_at") WHERE "state" = 'waiting';
