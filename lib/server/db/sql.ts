import { Prisma } from "@/prisma/generated/client";

/** A piece of SQL with its parameters apart, to be put into another or run; values never become text. */
export const sql = Prisma.sql;
/** A part of a query that says nothing, for conditions that are left out. */
export const emptySql = Prisma.empty;
/** A part of a query with its values, which never become text of the query. */
export type Sql = Prisma.Sql;
