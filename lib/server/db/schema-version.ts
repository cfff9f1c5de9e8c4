/** Numbers of the migrations between which this version of the sources works; a test holds `newest` to the folder. */
export const schemaVersions = { oldest: 1, newest: 40 } as const;
