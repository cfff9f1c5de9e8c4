-- The person who asked for a build, where people have accounts: how many of theirs run at once can be limited.
ALTER TABLE "build" ADD COLUMN "asked_by_id" UUID;
-- Projects whose limits somebody set go on without this one.
ALTER TABLE "project_quota" ADD COLUMN "running_builds_each" INTEGER;
