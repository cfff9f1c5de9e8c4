-- What a board server sees on its host's sockets, and which of it became boards.
ALTER TABLE "board_server" ADD COLUMN "surroundings" jsonb NOT NULL DEFAULT '{"sightings": [], "serialPorts": []}';
ALTER TABLE "board_server" ADD COLUMN "adopted" jsonb NOT NULL DEFAULT '[]';

-- The board server that waits for word hears of it at once.
CREATE FUNCTION notify_adopted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_notify('command', NEW.id::text); RETURN NULL; END $$;
CREATE TRIGGER board_server_adopted AFTER UPDATE OF adopted ON board_server
  FOR EACH ROW WHEN (OLD.adopted IS DISTINCT FROM NEW.adopted) EXECUTE FUNCTION notify_adopted();
