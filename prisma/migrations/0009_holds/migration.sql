-- Who stores an object, or has seen that no row names it, holds it for a while; it is deleted only when no hold is left.
CREATE TABLE "object_hold" (
  "id" BIGSERIAL NOT NULL,
  "bucket" TEXT NOT NULL,
  "key" TEXT NOT NULL,
  "until" TIMESTAMPTZ(6) NOT NULL,
  CONSTRAINT "object_hold_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "object_hold_bucket_key_idx" ON "object_hold"("bucket", "key");
CREATE INDEX "object_hold_until_idx" ON "object_hold"("until");
CREATE INDEX "inspection_ended_at_idx" ON "inspection"("ended_at");
CREATE INDEX "outbox_published_at_idx" ON "outbox"("published_at");
