-- What a worker is asked to look at besides a model: rows, or a search for the fewest bits. Null: the model alone.
ALTER TABLE "inspection" ADD COLUMN "request" jsonb;
