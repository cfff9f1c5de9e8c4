import { z } from "zod";

/** One option of an engine, as a form control needs it. */
export interface OptionField {
  readonly name: string;
  readonly title: string;
  readonly text: string | null;
  /** `layers`: settings by the name of a layer of the model. */
  readonly kind: "number" | "boolean" | "choice" | "text" | "layers";
  readonly choices: readonly (string | number)[];
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly whole: boolean;
  /** What happens when it is left alone. */
  readonly fallback: unknown;
  /** Of `layers`: what each layer is asked for. */
  readonly settings: readonly OptionField[];
}

const scalarSchema = z.union([z.string(), z.number()]);
const propertySchema = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z
    .array(z.looseObject({ const: z.unknown(), enum: z.array(z.unknown()) }).partial())
    .optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  default: z.unknown().optional(),
  keys: z.string().optional(),
  additionalProperties: z.unknown().optional(),
});
type Property = z.infer<typeof propertySchema>;
const objectSchema = z.object({ properties: z.record(z.string(), propertySchema).default({}) });

/** camelCase as words: `weightWidth` → `Weight width`. */
const wordsOf = (name: string) => {
  const words = name.replace(/([a-z])([A-Z0-9])/g, "$1 $2").toLowerCase();
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/ hz$/, ", Hz");
};

/** What each option is called, those that have a control of their own among them. */
export function optionTitles(schema: unknown): ReadonlyMap<string, string> {
  const properties = objectSchema.safeParse(schema).data?.properties ?? {};
  return new Map(
    Object.entries(properties).map(([name, { title }]) => [name, title ?? wordsOf(name)]),
  );
}

/** The fields that an engine's JSON Schema asks for. Properties that no control here can hold are left out: the API takes them. */
export function optionFields(schema: unknown): readonly OptionField[] {
  const parsed = objectSchema.safeParse(schema);
  if (!parsed.success) return [];
  return Object.entries(parsed.data.properties).flatMap(([name, property]) => {
    const choices = choicesOf(property);
    const settings = property.keys === "layers" ? optionFields(property.additionalProperties) : [];
    const kind = settings.length > 0 ? "layers" : kindOf(property, choices);
    if (kind === null) return [];
    return [
      {
        name,
        title: property.title ?? wordsOf(name),
        text: property.description ?? null,
        kind,
        choices,
        minimum: boundOf(property.minimum),
        maximum: boundOf(property.maximum),
        whole: typesOf(property).includes("integer"),
        fallback: property.default,
        settings,
      },
    ];
  });
}

const typesOf = ({ type }: Property): readonly string[] => [type ?? []].flat();

const boundOf = (limit: number | undefined) =>
  limit === undefined || Math.abs(limit) >= Number.MAX_SAFE_INTEGER ? null : limit;

const choicesOf = ({ enum: values = [], anyOf = [] }: Property) =>
  [...values, ...anyOf.flatMap((option) => option.enum ?? option.const ?? [])].flatMap((choice) => {
    const scalar = scalarSchema.safeParse(choice);
    return scalar.success ? [scalar.data] : [];
  });

function kindOf(property: Property, choices: readonly unknown[]): OptionField["kind"] | null {
  if (choices.length > 0) return "choice";
  const types = typesOf(property);
  if (types.includes("boolean")) return "boolean";
  if (types.includes("integer") || types.includes("number")) return "number";
  return types.includes("string") ? "text" : null;
}

/** What was typed as the option's value; undefined leaves it to the engine. */
export function optionValue(field: OptionField, text: string): unknown {
  if (text === "") return undefined;
  if (field.kind === "number") return Number(text);
  if (field.kind === "boolean") return text === "true";
  if (field.kind === "choice") return field.choices.find((choice) => String(choice) === text);
  return text;
}
