-- Lists of firmware: what a row is filtered and sorted by, computed once from what is known of the artifact.
ALTER TABLE "artifact"
  ADD COLUMN "engine" TEXT GENERATED ALWAYS AS ("manifest" ->> 'engine') STORED,
  ADD COLUMN "board_model" TEXT GENERATED ALWAYS AS ("manifest" ->> 'boardModel') STORED,
  ADD COLUMN "clock_hz" BIGINT GENERATED ALWAYS AS ((("manifest" ->> 'clockHz')::numeric)::bigint) STORED,
  ADD COLUMN "proof_state" TEXT GENERATED ALWAYS AS (CASE
    WHEN "damaged_at" IS NOT NULL THEN 'damaged'
    WHEN "refused" IS NOT NULL THEN 'refused'
    WHEN coalesce("report" #>> '{proof,vectors}', '0') = '0' THEN 'unproven'
    WHEN "manifest" ->> 'kind' = 'model' OR "report" #> '{proof,levels}' @> '[{"level": "bitstream"}]' THEN 'proven'
    ELSE 'partly' END) STORED;
CREATE INDEX "artifact_reference_artifact_digest_idx" ON "artifact_reference"("artifact_digest");
CREATE INDEX "artifact_by_size" ON "artifact"("size_bytes", "build_id");
CREATE INDEX "artifact_by_clock" ON "artifact"(coalesce("clock_hz", -1), "build_id");
CREATE INDEX "slot_reported_artifact_digest_idx" ON "slot"("reported_artifact_digest");

-- What a deleted artifact was, so that whoever follows an old link learns what became of it.
CREATE TABLE "deleted_artifact" (
  "digest" TEXT NOT NULL,
  "project_id" UUID NOT NULL,
  "build_id" UUID NOT NULL,
  "deleted_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  CONSTRAINT "deleted_artifact_pkey" PRIMARY KEY ("project_id", "digest"),
  CONSTRAINT "deleted_artifact_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Holds of a build end with it: its artifact's row names the objects from then on.
ALTER TABLE "object_hold" ADD COLUMN "build_id" UUID;
CREATE INDEX "object_hold_build_id_idx" ON "object_hold"("build_id");

-- Models: every version that a build or a person met of a file that was sent, or of an address.
ALTER TABLE "model"
  ALTER COLUMN "inspection" DROP NOT NULL,
  ALTER COLUMN "size_bytes" DROP NOT NULL,
  ADD COLUMN "source" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "newest" BOOLEAN NOT NULL DEFAULT true,
  ADD COLUMN "seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  ADD COLUMN "archived_at" TIMESTAMPTZ(6),
  ADD COLUMN "problem" JSONB,
  ADD COLUMN "looked" JSONB;
UPDATE "model" SET "source" = 'file:' || "name", "seen_at" = "created_at";
ALTER TABLE "model" ALTER COLUMN "source" DROP DEFAULT;
DELETE FROM "model" m USING "model" o
  WHERE o."project_id" = m."project_id" AND o."source" = m."source" AND o."digest" = m."digest" AND o."id" < m."id";

-- Those of builds so far; what is in them is read again when somebody asks. Uploads have rows already, unless they are gone.
INSERT INTO "model" ("id", "project_id", "name", "url", "source", "digest", "created_at", "seen_at")
SELECT
  (lpad(to_hex((extract(epoch FROM min("created_at")) * 1000)::bigint), 12, '0') || '7'
    || substr(md5("project_id"::text || "model_url" || "model_digest"), 1, 3) || '8'
    || substr(md5("model_url" || "model_digest"), 1, 15))::uuid,
  "project_id",
  left(CASE
    WHEN split_part(regexp_replace("model_url", '[?#].*$', ''), '/', -1) ~* '^(model|saved_model|network)(\.[a-z0-9]+)+$'
      AND split_part(regexp_replace("model_url", '[?#].*$', ''), '/', -3) <> ''
    THEN split_part(regexp_replace("model_url", '[?#].*$', ''), '/', -2)
    ELSE split_part(regexp_replace("model_url", '[?#].*$', ''), '/', -1) END, 200),
  "model_url", "model_url", "model_digest", min("created_at"), max("created_at")
FROM "build" WHERE "model_digest" IS NOT NULL AND "model_url" NOT LIKE 's3://uploads-%'
GROUP BY "project_id", "model_url", "model_digest";
UPDATE "model" m SET "newest" = false WHERE EXISTS (
  SELECT 1 FROM "model" o WHERE o."project_id" = m."project_id" AND o."source" = m."source"
    AND (o."seen_at", o."id") > (m."seen_at", m."id"));

ALTER TABLE "model"
  ADD COLUMN "format" TEXT GENERATED ALWAYS AS ("inspection" ->> 'format') STORED,
  ADD COLUMN "state" TEXT GENERATED ALWAYS AS (CASE
    WHEN "archived_at" IS NOT NULL THEN 'archived' WHEN "problem" IS NOT NULL THEN 'unreadable'
    WHEN "inspection" IS NULL THEN 'unread' ELSE 'readable' END) STORED;
CREATE UNIQUE INDEX "model_one_version" ON "model"("project_id", md5("source"), "digest");
CREATE UNIQUE INDEX "model_one_newest" ON "model"("project_id", md5("source")) WHERE "newest";
CREATE INDEX "model_digest_idx" ON "model"("project_id", "digest");
CREATE INDEX "model_by_id" ON "model"("project_id", "id") WHERE "newest";
CREATE INDEX "model_by_name" ON "model"("project_id", (left("name", 100) COLLATE "C"), "id") WHERE "newest";
CREATE INDEX "model_by_size" ON "model"("project_id", coalesce("size_bytes", -1), "id") WHERE "newest";
CREATE INDEX "model_text" ON "model" USING gin (("name" || ' ' || "url") gin_trgm_ops);
CREATE INDEX "build_project_id_model_digest_id_idx" ON "build"("project_id", "model_digest", "id");

-- What a build worker found of the tools that it looks for.
ALTER TABLE "build_worker" ADD COLUMN "tools" JSONB;
