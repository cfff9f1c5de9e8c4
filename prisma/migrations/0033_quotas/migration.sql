-- How much a project may take of the installation, where somebody set it: a value that is null has no limit. A project without a row
-- has the usual limits.
CREATE TABLE "project_quota" (
  "project_id" UUID NOT NULL,
  "running_builds" INTEGER,
  "queued_builds" INTEGER,
  "build_minutes" INTEGER,
  "boards" INTEGER,
  "storage_bytes" BIGINT,
  "requests_per_second" INTEGER,
  "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  CONSTRAINT "project_quota_pkey" PRIMARY KEY ("project_id"),
  CONSTRAINT "project_quota_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "project"("id") ON DELETE CASCADE
);
CREATE INDEX "build_running_of_project" ON "build"("project_id")
  WHERE "state" <> 'queued' AND "ended_at" IS NULL;

-- Gateways hold projects to their requests a second.
CREATE TRIGGER "notify_route_quota" AFTER INSERT OR UPDATE OR DELETE ON "project_quota"
  FOR EACH ROW EXECUTE FUNCTION "notify_route"();
