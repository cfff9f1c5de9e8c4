-- Where the lines of a compacted log lie in its object; once that is known, the chunks are deleted.
ALTER TABLE "attempt" ADD COLUMN "log_index" JSONB;
CREATE INDEX "attempt_uncompacted" ON "attempt"("ended_at") WHERE "log_index" IS NULL;
