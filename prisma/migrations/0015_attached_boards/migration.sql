-- Boards at addresses, which their servers speak with over gRPC. One address is one board.
CREATE TABLE "attached_board" (
  "id" UUID NOT NULL,
  "board_server_id" UUID NOT NULL,
  "key" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "board_model" TEXT NOT NULL,
  "address" TEXT NOT NULL,
  "trial" JSONB NOT NULL,
  "steps" JSONB NOT NULL,
  "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  CONSTRAINT "attached_board_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "attached_board_board_server_id_fkey" FOREIGN KEY ("board_server_id")
    REFERENCES "board_server"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "attached_board_address_key" ON "attached_board"("address");
CREATE UNIQUE INDEX "attached_board_board_server_id_key_key" ON "attached_board"("board_server_id", "key");

-- The board server that waits for word hears of it at once.
CREATE FUNCTION notify_attached() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_notify('command', coalesce(NEW.board_server_id, OLD.board_server_id)::text); RETURN NULL; END $$;
CREATE TRIGGER attached_board_changed AFTER INSERT OR DELETE ON attached_board
  FOR EACH ROW EXECUTE FUNCTION notify_attached();
