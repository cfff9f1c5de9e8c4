-- A board that is drained gets nothing new: what it holds is moved away ("move"), or stays ("keep"). Null: not drained.
ALTER TABLE "board" ADD COLUMN "drain" TEXT;
ALTER TABLE "board" ADD COLUMN "drained_at" TIMESTAMPTZ(6);
-- Since when "state" is what the board was last seen in; before that nobody noted it.
ALTER TABLE "board" ADD COLUMN "watched_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now();
-- What its board server last called itself; null: of before it said so.
ALTER TABLE "board_server" ADD COLUMN "version" TEXT;

-- What happened to boards, kept longer than events.
CREATE TABLE "board_history" (
  "id" BIGSERIAL NOT NULL,
  "board_id" UUID NOT NULL,
  "slot_index" INTEGER,
  "kind" TEXT NOT NULL,
  "detail" JSONB NOT NULL DEFAULT '{}',
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  CONSTRAINT "board_history_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "board_history_board_id_fkey" FOREIGN KEY ("board_id")
    REFERENCES "board"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "board_history_board_id_id_idx" ON "board_history"("board_id", "id");
CREATE INDEX "board_history_board_id_kind_created_at_idx" ON "board_history"("board_id", "kind", "created_at");
CREATE INDEX "board_history_created_at_idx" ON "board_history"("created_at");

-- What a board server is asked to do once with a slot that holds something: to test it again, to blink.
CREATE TABLE "board_task" (
  "id" UUID NOT NULL,
  "board_id" UUID NOT NULL,
  "slot_id" UUID NOT NULL,
  "slot_epoch" INTEGER NOT NULL,
  "kind" TEXT NOT NULL,
  "state" TEXT NOT NULL DEFAULT 'waiting',
  "result" JSONB,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  "ended_at" TIMESTAMPTZ(6),
  CONSTRAINT "board_task_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "board_task_board_id_fkey" FOREIGN KEY ("board_id")
    REFERENCES "board"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "board_task_slot_id_fkey" FOREIGN KEY ("slot_id")
    REFERENCES "slot"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "board_task_board_id_created_at_idx" ON "board_task"("board_id", "created_at");
CREATE INDEX "board_task_ended_at_idx" ON "board_task"("ended_at");
CREATE INDEX "board_task_open" ON "board_task"("created_at") WHERE "ended_at" IS NULL;

-- The board server that waits for word hears of it at once.
CREATE FUNCTION "notify_board_task"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('command', board_server_id::text) FROM board WHERE id = NEW.board_id;
  RETURN NULL;
END $$;
CREATE TRIGGER "notify_board_task" AFTER INSERT ON "board_task"
  FOR EACH ROW EXECUTE FUNCTION "notify_board_task"();

-- Endpoints on a board that is drained or resumed are looked at.
CREATE FUNCTION "wake_of_board"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO endpoint_wake (endpoint_id)
    SELECT DISTINCT r.endpoint_id FROM slot l
    JOIN slot_assignment a ON a.slot_id = l.id AND a.released_at IS NULL JOIN revision r ON r.id = a.revision_id
    WHERE l.board_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER "wake_of_board" AFTER UPDATE OF "drain" ON "board"
  FOR EACH ROW WHEN (OLD."drain" IS DISTINCT FROM NEW."drain") EXECUTE FUNCTION "wake_of_board"();

-- What a slot went through, whoever writes it: loaded, failed, emptied, lost, back.
CREATE FUNCTION "note_slot_history"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  what TEXT;
  has_problem BOOLEAN := NEW.problem ->> 'message' IS NOT NULL;
  revision UUID := coalesce(NEW.desired_revision_id, OLD.desired_revision_id, OLD.reported_revision_id);
BEGIN
  what := CASE
    WHEN NEW.state = 'serving' AND OLD.state = 'unreachable' AND NEW.reported_epoch = OLD.reported_epoch THEN 'back'
    WHEN NEW.state = 'serving' AND (OLD.state <> 'serving' OR NEW.reported_epoch <> OLD.reported_epoch) THEN 'loaded'
    WHEN NEW.state = 'unreachable' AND OLD.state <> 'unreachable' THEN 'lost'
    WHEN NEW.state = 'empty' AND has_problem AND NEW.problem IS DISTINCT FROM OLD.problem THEN 'failed'
    WHEN NEW.state = 'empty' AND OLD.state <> 'empty' AND NEW.desired_revision_id IS NULL THEN 'emptied'
    WHEN NEW.state = 'empty' AND OLD.state IN ('serving', 'unreachable') THEN 'lost'
  END;
  IF what IS NULL THEN RETURN NULL; END IF;
  INSERT INTO board_history (board_id, slot_index, kind, detail)
    SELECT NEW.board_id, NEW.index, what, jsonb_strip_nulls(jsonb_build_object(
      'projectId', v.project_id, 'endpoint', e.name, 'revision', v.ordinal,
      'artifactDigest', coalesce(NEW.reported_artifact_digest, v.artifact_digest, OLD.reported_artifact_digest),
      'problem', CASE WHEN has_problem THEN NEW.problem END,
      'durationMs', CASE WHEN what IN ('loaded', 'failed') AND OLD.command_id IS NOT NULL AND NEW.command_id IS NULL
        THEN round(extract(epoch FROM clock_timestamp() - NEW.command_at) * 1000) END))
    FROM (SELECT 1) one LEFT JOIN revision v ON v.id = revision LEFT JOIN endpoint e ON e.id = v.endpoint_id;
  RETURN NULL;
END $$;
CREATE TRIGGER "note_slot_history" AFTER UPDATE ON "slot"
  FOR EACH ROW WHEN ((OLD."state", OLD."reported_epoch", OLD."problem") IS DISTINCT FROM (NEW."state", NEW."reported_epoch", NEW."problem"))
  EXECUTE FUNCTION "note_slot_history"();

-- What fits on a board: artifacts of its model, newest first.
CREATE INDEX "artifact_by_board_model" ON "artifact"((manifest ->> 'boardModel'), "created_at", "digest");
