-- An endpoint that was unloaded by a client of the repository extension: it keeps its board and answers nothing.
ALTER TABLE "endpoint" ADD COLUMN "paused" boolean NOT NULL DEFAULT false;
