/** What a board server calls itself; one that says it takes tasks beside loads. It is the version of the package. */
export const boardServerVersion = "0.1.0";
