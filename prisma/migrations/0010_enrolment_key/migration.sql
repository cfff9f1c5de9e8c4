-- Which key used a code: its server may use it again, should it be killed before it remembers who it is.
ALTER TABLE "enrolment" ADD COLUMN "used_by_key" TEXT;
