-- Lists of builds: each order, and each value that is filtered by, newest first.
CREATE INDEX "build_project_id_id_idx" ON "build"("project_id", "id");
CREATE INDEX "build_project_id_state_id_idx" ON "build"("project_id", "state", "id");
CREATE INDEX "build_project_id_engine_id_idx" ON "build"("project_id", "engine", "id");
CREATE INDEX "build_project_id_board_model_id_idx" ON "build"("project_id", "board_model", "id");
CREATE INDEX "build_by_name" ON "build"("project_id", (left(coalesce("endpoint_name", "model_url"), 100) COLLATE "C"), "id");
CREATE INDEX "build_by_duration" ON "build"(
  "project_id", coalesce((extract(epoch FROM "ended_at" - "started_at") * 1000)::bigint, -1), "id");

-- Text anywhere in a name or in the address of a model. The extension comes with Postgres and needs no superuser.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX "build_text" ON "build" USING gin ((coalesce("endpoint_name", '') || ' ' || "model_url") gin_trgm_ops);

-- Lists of endpoints.
CREATE INDEX "endpoint_live_by_id" ON "endpoint"("project_id", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "endpoint_live_by_state" ON "endpoint"("project_id", "state", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "endpoint_live_by_name" ON "endpoint"("project_id", "name", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "revision_project_id_engine_idx" ON "revision"("project_id", "engine");
CREATE INDEX "revision_project_id_board_model_idx" ON "revision"("project_id", "board_model");
CREATE INDEX "revision_text" ON "revision" USING gin ("model_url" gin_trgm_ops);

-- The card of a model, by the digest of its address, which may be longer than an index takes.
CREATE INDEX "inspection_by_url" ON "inspection"("project_id", md5("url"), "id") WHERE "state" = 'succeeded';
