-- At most one repetition of a build is under way. Of those that slipped in together before, the oldest keeps the bond.
UPDATE "build" b SET "retry_of_id" = NULL
WHERE b."retry_of_id" IS NOT NULL AND b."ended_at" IS NULL AND EXISTS (
  SELECT 1 FROM "build" o WHERE o."retry_of_id" = b."retry_of_id" AND o."ended_at" IS NULL AND o."id" < b."id");
CREATE UNIQUE INDEX "build_one_open_retry" ON "build"("retry_of_id") WHERE "ended_at" IS NULL;
