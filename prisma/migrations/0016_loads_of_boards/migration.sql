-- Which firmware a board can load: Boardwalk's own, or that of BondMachine's original system.
ALTER TABLE "board" ADD COLUMN "loads" TEXT NOT NULL DEFAULT 'boardwalk';
