import type { ConnectionKind, ProjectConnection } from "@/lib/common/contract";

/** One line of a form. */
export interface Field {
  readonly name: FieldName;
  /** What is typed, as an example. */
  readonly example?: string;
  readonly isOptional?: true;
  /** Nobody reads it over somebody's shoulder. */
  readonly isSecret?: true;
}

/** Every line that a kind may have; each has a label and a hint. */
export type FieldName =
  | "endpoint"
  | "region"
  | "buckets"
  | "host"
  | "registry"
  | "tokenHost"
  | "accessKey"
  | "secretKey"
  | "token"
  | "user"
  | "password";

/** What is typed, by the lines of a form. */
export type Texts = Readonly<Partial<Record<FieldName, string>>>;

/** The lines that say where something is. */
export const placeFields: Readonly<Record<ConnectionKind, readonly Field[]>> = {
  s3: [
    { name: "endpoint", example: "https://minio.example.com:9000" },
    { name: "buckets", example: "models, calibration" },
    { name: "region", example: "us-east-1", isOptional: true },
  ],
  https: [{ name: "host", example: "git.example.com" }],
  oci: [
    { name: "registry", example: "registry.example.com" },
    { name: "tokenHost", example: "auth.example.com", isOptional: true },
  ],
  huggingface: [{ name: "endpoint", example: "https://huggingface.co", isOptional: true }],
};

/** The ways to say what opens something. */
export type SecretForm = "keys" | "token" | "login";
/** The ways that each kind has. */
export const secretForms: Readonly<Record<ConnectionKind, readonly SecretForm[]>> = {
  s3: ["keys"],
  https: ["token", "login"],
  oci: ["login"],
  huggingface: ["token"],
};
/** The lines of each way. */
export const secretFields: Readonly<Record<SecretForm, readonly Field[]>> = {
  keys: [{ name: "accessKey" }, { name: "secretKey", isSecret: true }],
  token: [{ name: "token", isSecret: true }],
  login: [{ name: "user" }, { name: "password", isSecret: true }],
};

/** What stands in the lines of a connection that there is. */
export function textsOf({ place }: ProjectConnection): Texts {
  return Object.fromEntries(
    Object.entries(place).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : String(value),
    ]),
  );
}

/** A place as the API takes it, of what was typed. */
export function placeOfTexts(kind: ConnectionKind, texts: Texts): Record<string, unknown> {
  return Object.fromEntries(
    placeFields[kind].flatMap(({ name }) => {
      const text = texts[name]?.trim() ?? "";
      if (text === "") return [];
      return [[name, name === "buckets" ? text.split(/[\s,]+/).filter(Boolean) : text]];
    }),
  );
}

/** A secret as the API takes it; undefined: nothing was typed. */
export function secretOfTexts(form: SecretForm, texts: Texts): Record<string, string> | undefined {
  const given = secretFields[form].flatMap(({ name }) => {
    const text = texts[name] ?? "";
    return text === "" ? [] : [[name, text]];
  });
  return given.length === 0 ? undefined : Object.fromEntries(given);
}
