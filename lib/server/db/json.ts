/** A value as a JSON column takes it; its type there is any object's. */
export const toJson = (value: object): object => value;
