-- An artifact whose bytes are not what its manifest says: known as such, never reused, and made anew beside it if need be.
ALTER TABLE "artifact" ADD COLUMN "damaged_at" TIMESTAMPTZ(6);
ALTER TABLE "artifact" ADD COLUMN "repair_asked_at" TIMESTAMPTZ(6);
-- One sound artifact per plan (R4).
CREATE UNIQUE INDEX "artifact_one_sound" ON "artifact"("plan_digest") WHERE "damaged_at" IS NULL;
DROP INDEX "artifact_plan_digest_key";
CREATE INDEX "artifact_plan_digest_idx" ON "artifact"("plan_digest");
CREATE INDEX "artifact_damaged" ON "artifact"("damaged_at") WHERE "damaged_at" IS NOT NULL;
CREATE INDEX "revision_artifact_digest_idx" ON "revision"("artifact_digest");
