-- Why an artifact is not taken again: a check that came later found that its bytes do not answer as its model.
ALTER TABLE "artifact" ADD COLUMN "refused" JSONB;
