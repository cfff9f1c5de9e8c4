-- Tools that engines need and a build worker has not, so that forms say so before a build fails; null: it did not look yet.
ALTER TABLE "build_worker" ADD COLUMN "missing" JSONB;
