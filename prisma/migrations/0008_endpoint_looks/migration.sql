-- When the reconciler looks at an endpoint next; whoever changes what an endpoint depends on has it looked at at once.
ALTER TABLE "endpoint" ADD COLUMN "look_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP;
-- Looks in a row that changed nothing, and those that failed: each makes the next pause longer.
ALTER TABLE "endpoint" ADD COLUMN "quiet_looks" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "endpoint" ADD COLUMN "failed_looks" INTEGER NOT NULL DEFAULT 0;
CREATE INDEX "endpoint_due" ON "endpoint"("look_at") WHERE "deleted_at" IS NULL;
CREATE INDEX "endpoint_deleting" ON "endpoint"("delete_requested_at")
  WHERE "deleted_at" IS NULL AND "delete_requested_at" IS NOT NULL;
CREATE INDEX "slot_assignment_slot_id_idx" ON "slot_assignment"("slot_id");
CREATE INDEX "board_live" ON "board"("board_server_id", "kind") WHERE "removed_at" IS NULL;

-- Rows of its own, taken by the reconciler: who changes a slot or a revision waits for no lock of an endpoint.
CREATE TABLE "endpoint_wake" (
  "id" BIGSERIAL NOT NULL,
  "endpoint_id" UUID NOT NULL,
  CONSTRAINT "endpoint_wake_pkey" PRIMARY KEY ("id")
);

CREATE FUNCTION "look_at_endpoint"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN NEW.look_at := now(); NEW.quiet_looks := 0; NEW.failed_looks := 0; RETURN NEW; END $$;
CREATE TRIGGER "look_at_endpoint" BEFORE UPDATE OF "delete_requested_at", "paused" ON "endpoint"
  FOR EACH ROW WHEN ((OLD."delete_requested_at", OLD."paused") IS DISTINCT FROM (NEW."delete_requested_at", NEW."paused"))
  EXECUTE FUNCTION "look_at_endpoint"();

CREATE FUNCTION "wake_of_revision"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN INSERT INTO endpoint_wake (endpoint_id) VALUES (NEW.endpoint_id); RETURN NULL; END $$;
CREATE TRIGGER "wake_of_new_revision" AFTER INSERT ON "revision"
  FOR EACH ROW EXECUTE FUNCTION "wake_of_revision"();
CREATE TRIGGER "wake_of_revision" AFTER UPDATE ON "revision"
  FOR EACH ROW WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION "wake_of_revision"();

CREATE FUNCTION "wake_of_slot"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO endpoint_wake (endpoint_id)
    SELECT r.endpoint_id FROM slot_assignment a JOIN revision r ON r.id = a.revision_id
    WHERE a.slot_id = NEW.id AND a.released_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER "wake_of_slot" AFTER UPDATE ON "slot"
  FOR EACH ROW WHEN (OLD IS DISTINCT FROM NEW) EXECUTE FUNCTION "wake_of_slot"();

CREATE FUNCTION "wake_of_assignment"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO endpoint_wake (endpoint_id) SELECT endpoint_id FROM revision WHERE id = OLD.revision_id;
  RETURN NULL;
END $$;
CREATE TRIGGER "wake_of_assignment" AFTER UPDATE OR DELETE ON "slot_assignment"
  FOR EACH ROW EXECUTE FUNCTION "wake_of_assignment"();

CREATE FUNCTION "wake_of_artifact"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO endpoint_wake (endpoint_id)
    SELECT DISTINCT endpoint_id FROM revision WHERE artifact_digest = NEW.digest AND state IN ('building', 'ready');
  RETURN NULL;
END $$;
CREATE TRIGGER "wake_of_artifact" AFTER UPDATE OF "damaged_at" ON "artifact"
  FOR EACH ROW WHEN (OLD."damaged_at" IS DISTINCT FROM NEW."damaged_at") EXECUTE FUNCTION "wake_of_artifact"();
