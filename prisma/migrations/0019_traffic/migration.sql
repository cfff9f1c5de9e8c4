-- What each gateway counted of an endpoint in a minute. A gateway writes its own rows and writes them again, so that a repeated
-- write counts nothing twice; readers add the gateways up. The endpoint of nothing but zeros says that a gateway counted at all.
CREATE TABLE "traffic_minute" (
  "endpoint_id" UUID NOT NULL,
  "at" TIMESTAMPTZ(6) NOT NULL,
  "revision" INTEGER NOT NULL,
  "writer" UUID NOT NULL,
  "requests" BIGINT NOT NULL,
  "client_errors" BIGINT NOT NULL,
  "server_errors" BIGINT NOT NULL,
  "rows" BIGINT NOT NULL,
  "total_us" BIGINT NOT NULL,
  "queue_us" BIGINT NOT NULL,
  "link_us" BIGINT NOT NULL,
  "host_us" BIGINT NOT NULL,
  "compute_us" BIGINT NOT NULL,
  "latency" JSONB NOT NULL,
  CONSTRAINT "traffic_minute_pkey" PRIMARY KEY ("endpoint_id", "at", "revision", "writer"),
  CONSTRAINT "traffic_minute_whole" CHECK ("requests" >= "client_errors" + "server_errors" AND date_trunc('minute', "at", 'UTC') = "at")
);
CREATE INDEX "traffic_minute_at" ON "traffic_minute"("at");

-- The same of an hour, all gateways together: made of minutes that are a day old, which go with it.
CREATE TABLE "traffic_hour" (
  "endpoint_id" UUID NOT NULL,
  "at" TIMESTAMPTZ(6) NOT NULL,
  "revision" INTEGER NOT NULL,
  "requests" BIGINT NOT NULL,
  "client_errors" BIGINT NOT NULL,
  "server_errors" BIGINT NOT NULL,
  "rows" BIGINT NOT NULL,
  "total_us" BIGINT NOT NULL,
  "queue_us" BIGINT NOT NULL,
  "link_us" BIGINT NOT NULL,
  "host_us" BIGINT NOT NULL,
  "compute_us" BIGINT NOT NULL,
  "latency" JSONB NOT NULL,
  CONSTRAINT "traffic_hour_pkey" PRIMARY KEY ("endpoint_id", "at", "revision")
);
CREATE INDEX "traffic_hour_at" ON "traffic_hour"("at");

-- The sum of two histograms: objects of counts by bucket.
CREATE FUNCTION "add_latency"("a" jsonb, "b" jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(jsonb_object_agg(key, total), '{}'::jsonb) FROM (
    SELECT key, sum(value::bigint) AS total
    FROM (SELECT * FROM jsonb_each_text(a) UNION ALL SELECT * FROM jsonb_each_text(b)) AS each GROUP BY key
  ) AS sums $$;
CREATE AGGREGATE "sum_latency"(jsonb) (SFUNC = "add_latency", STYPE = jsonb, INITCOND = '{}', PARALLEL = SAFE, COMBINEFUNC = "add_latency");

-- The last requests of an endpoint. Bodies only where its owner wants them kept.
ALTER TABLE "endpoint" ADD COLUMN "keep_payloads" BOOLEAN NOT NULL DEFAULT false;
CREATE TABLE "request_record" (
  "id" UUID NOT NULL,
  "endpoint_id" UUID NOT NULL,
  "at" TIMESTAMPTZ(6) NOT NULL,
  "protocol" TEXT NOT NULL,
  "status" INTEGER NOT NULL,
  "reason" TEXT,
  "message" TEXT,
  "revision" INTEGER NOT NULL,
  "slot_id" UUID,
  "latency_us" INTEGER NOT NULL,
  "rows" INTEGER NOT NULL,
  "request_id" TEXT NOT NULL,
  "body" TEXT,
  CONSTRAINT "request_record_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "request_record_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "endpoint"("id") ON DELETE CASCADE
);
CREATE INDEX "request_record_newest" ON "request_record"("endpoint_id", "at" DESC, "id" DESC);

-- What happened to an endpoint, written with the change itself, whoever makes it.
CREATE TABLE "endpoint_log" (
  "id" BIGSERIAL NOT NULL,
  "endpoint_id" UUID NOT NULL,
  "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "kind" TEXT NOT NULL,
  "state" TEXT,
  "revision" INTEGER,
  "board_id" UUID,
  "reason" TEXT,
  "message" TEXT,
  CONSTRAINT "endpoint_log_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "endpoint_log_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "endpoint"("id") ON DELETE CASCADE
);
CREATE INDEX "endpoint_log_newest" ON "endpoint_log"("endpoint_id", "id");
CREATE INDEX "endpoint_log_at" ON "endpoint_log"("at");

CREATE FUNCTION "log_endpoint"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO endpoint_log (endpoint_id, kind, state) VALUES (NEW.id, 'created', NEW.state);
    RETURN NULL;
  END IF;
  IF NEW.paused IS DISTINCT FROM OLD.paused THEN
    INSERT INTO endpoint_log (endpoint_id, kind) VALUES (NEW.id, CASE WHEN NEW.paused THEN 'paused' ELSE 'resumed' END);
  END IF;
  IF NEW.keep_payloads IS DISTINCT FROM OLD.keep_payloads THEN
    INSERT INTO endpoint_log (endpoint_id, kind)
      VALUES (NEW.id, CASE WHEN NEW.keep_payloads THEN 'payloads_kept' ELSE 'payloads_dropped' END);
  END IF;
  IF NEW.state IS DISTINCT FROM OLD.state OR (NEW.problem IS DISTINCT FROM OLD.problem AND NEW.problem IS NOT NULL) THEN
    INSERT INTO endpoint_log (endpoint_id, kind, state, reason, message)
      VALUES (NEW.id, 'state', NEW.state, NEW.problem ->> 'reason', coalesce(NEW.problem ->> 'message', NEW.reason));
  END IF;
  IF NOT NEW.keep_payloads AND OLD.keep_payloads THEN
    UPDATE request_record SET body = NULL WHERE endpoint_id = NEW.id AND body IS NOT NULL;
  END IF;
  IF NEW.delete_requested_at IS NOT NULL AND OLD.delete_requested_at IS NULL THEN
    DELETE FROM request_record WHERE endpoint_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "log_new_endpoint" AFTER INSERT ON "endpoint" FOR EACH ROW EXECUTE FUNCTION "log_endpoint"();
CREATE TRIGGER "log_endpoint" AFTER UPDATE ON "endpoint" FOR EACH ROW WHEN (
  (OLD."state", OLD."paused", OLD."problem", OLD."keep_payloads", OLD."delete_requested_at") IS DISTINCT FROM
  (NEW."state", NEW."paused", NEW."problem", NEW."keep_payloads", NEW."delete_requested_at"))
  EXECUTE FUNCTION "log_endpoint"();
CREATE TRIGGER "notify_route_payloads" AFTER UPDATE OF "keep_payloads" ON "endpoint"
  FOR EACH ROW WHEN (OLD."keep_payloads" IS DISTINCT FROM NEW."keep_payloads") EXECUTE FUNCTION "notify_route"();

CREATE FUNCTION "log_revision"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO endpoint_log (endpoint_id, kind, state, revision, reason, message)
    VALUES (NEW.endpoint_id, 'revision', NEW.state, NEW.ordinal, NEW.problem ->> 'reason', NEW.problem ->> 'message');
  RETURN NULL;
END $$;
CREATE TRIGGER "log_new_revision" AFTER INSERT ON "revision" FOR EACH ROW EXECUTE FUNCTION "log_revision"();
CREATE TRIGGER "log_revision" AFTER UPDATE OF "state" ON "revision"
  FOR EACH ROW WHEN (OLD."state" IS DISTINCT FROM NEW."state") EXECUTE FUNCTION "log_revision"();

-- A switch is told by the revision that gets most of the requests.
CREATE FUNCTION "log_route"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO endpoint_log (endpoint_id, kind, revision)
    SELECT NEW.endpoint_id, 'switched', r.ordinal
    FROM jsonb_to_recordset(NEW.split) AS s("revisionId" uuid, "percent" float8) JOIN revision r ON r.id = s."revisionId"
    ORDER BY s."percent" DESC LIMIT 1;
  RETURN NULL;
END $$;
CREATE TRIGGER "log_new_route" AFTER INSERT ON "route" FOR EACH ROW EXECUTE FUNCTION "log_route"();
CREATE TRIGGER "log_route" AFTER UPDATE OF "split" ON "route"
  FOR EACH ROW WHEN (OLD."split" IS DISTINCT FROM NEW."split") EXECUTE FUNCTION "log_route"();

CREATE FUNCTION "log_slot"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO endpoint_log (endpoint_id, kind, state, revision, board_id, reason, message)
    SELECT r.endpoint_id, 'board', NEW.state, r.ordinal, NEW.board_id, NEW.problem ->> 'reason', NEW.problem ->> 'message'
    FROM slot_assignment a JOIN revision r ON r.id = a.revision_id
    WHERE a.slot_id = NEW.id AND a.released_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER "log_slot" AFTER UPDATE ON "slot" FOR EACH ROW WHEN (
  (OLD."state", OLD."problem") IS DISTINCT FROM (NEW."state", NEW."problem")) EXECUTE FUNCTION "log_slot"();

CREATE FUNCTION "log_assignment"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO endpoint_log (endpoint_id, kind, state, revision, board_id)
    SELECT r.endpoint_id, 'board', CASE TG_OP WHEN 'INSERT' THEN 'taken' ELSE 'released' END, r.ordinal, s.board_id
    FROM revision r, slot s WHERE r.id = NEW.revision_id AND s.id = NEW.slot_id;
  RETURN NULL;
END $$;
CREATE TRIGGER "log_new_assignment" AFTER INSERT ON "slot_assignment" FOR EACH ROW EXECUTE FUNCTION "log_assignment"();
CREATE TRIGGER "log_assignment" AFTER UPDATE OF "released_at" ON "slot_assignment"
  FOR EACH ROW WHEN (OLD."released_at" IS NULL AND NEW."released_at" IS NOT NULL) EXECUTE FUNCTION "log_assignment"();

-- What is known of endpoints that were made before.
INSERT INTO "endpoint_log" ("endpoint_id", "at", "kind", "state", "revision")
  SELECT * FROM (
    SELECT e.id, e.created_at AS at, 'created', 'building', NULL::int FROM endpoint e WHERE e.deleted_at IS NULL
    UNION ALL SELECT r.endpoint_id, r.created_at, 'revision', 'building', r.ordinal
      FROM revision r JOIN endpoint e ON e.id = r.endpoint_id WHERE e.deleted_at IS NULL
    UNION ALL SELECT r.endpoint_id, r.served_at, 'switched', NULL, r.ordinal
      FROM revision r JOIN endpoint e ON e.id = r.endpoint_id WHERE e.deleted_at IS NULL AND r.served_at IS NOT NULL
  ) AS known ORDER BY at;
