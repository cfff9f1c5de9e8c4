-- In which order the revisions of an endpoint were asked to serve: a rollback asks for an older one anew.
ALTER TABLE "revision" ADD COLUMN "turn" INTEGER NOT NULL DEFAULT 0;
UPDATE "revision" SET "turn" = "ordinal";
-- When the route was last switched to it; null: it never answered.
ALTER TABLE "revision" ADD COLUMN "served_at" TIMESTAMPTZ(6);
UPDATE "revision" SET "served_at" = "created_at" WHERE "state" IN ('ready', 'retired');
-- The gateway hears of a pause whatever state the endpoint is in.
CREATE TRIGGER "notify_route_paused" AFTER UPDATE OF "paused" ON "endpoint"
  FOR EACH ROW WHEN (OLD."paused" IS DISTINCT FROM NEW."paused")
  EXECUTE FUNCTION "notify_route"();
