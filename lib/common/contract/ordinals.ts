/** As far as attempts, revisions and lines are counted: Postgres gives them four bytes. */
export const largestOrdinal = 2_147_483_647;
