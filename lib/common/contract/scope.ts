declare const scopeBrand: unique symbol;

/** The project a proven caller acts in. Only `lib/server/auth` makes one; the domain takes it on trust. */
export type Scope = string & { readonly [scopeBrand]: "Scope" };
