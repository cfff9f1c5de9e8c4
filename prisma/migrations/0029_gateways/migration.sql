-- Keys of the gateways of this installation: board servers of other hosts let these call, and nobody else.
CREATE TABLE "gateway" (
  "public_key" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  CONSTRAINT "gateway_pkey" PRIMARY KEY ("public_key")
);
CREATE FUNCTION notify_gateways() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_notify('command', id::text) FROM board_server; RETURN NULL; END $$;
CREATE TRIGGER gateway_notify AFTER INSERT OR DELETE ON "gateway"
  FOR EACH ROW EXECUTE FUNCTION notify_gateways();
