-- What is built first: 1 high, 0 normal, -1 low; and since when a build waits.
ALTER TABLE "build" ADD COLUMN "priority" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "build" ADD CONSTRAINT "build_priority_known" CHECK ("priority" IN (-1, 0, 1));
ALTER TABLE "build" ADD COLUMN "queued_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now();
UPDATE "build" SET "queued_at" = (
  SELECT max(t."created_at") FROM "transition" t WHERE t."build_id" = "build"."id" AND t."to_state" = 'queued')
WHERE "state" = 'queued';

-- In the order in which workers take them; no build that has begun or ended is among them.
CREATE INDEX "build_in_turn" ON "build"("priority" DESC, "queued_at", "id") WHERE "state" = 'queued' AND "cancel_requested_at" IS NULL;
