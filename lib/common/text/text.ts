/** What turns the direction of reading or takes no room: soft hyphens, zero-width and bidirectional controls, BOM. */
export const invisible =
  /[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/;
// With the flag `u` a surrogate stands for itself only where it has no partner.
const unstorable = /[\0\p{Cs}]/gu;
const unshown =
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\p{Cs}]/gu;
const controls = /[\p{Cc}\p{Cs}]/u;

/** An invisible character as a mark: `<U+202E>`. */
export function showInvisible(char: string): string {
  return `<U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`;
}

/**
 * Text from outside (names in a model, paths, messages of others) as one line that holds no control: `␀` for NUL, `␊`
 * for a newline, `\u{9b}`, `\u{d800}` for half a surrogate pair, `<U+202E>`. Tabs stay.
 */
export function showText(text: string): string {
  return text.replace(unshown, shown);
}

/** The text with only that made visible which Postgres refuses in `text` and `jsonb`: NUL, and halves of surrogate pairs. */
export function storableText(text: string): string {
  return text.replace(unstorable, shown);
}

function shown(char: string): string {
  const point = char.charCodeAt(0);
  if (point < 0x20) return String.fromCharCode(0x2400 + point);
  if (point === 0x7f) return "\u2421";
  return invisible.test(char) ? showInvisible(char) : `\\u{${point.toString(16)}}`;
}

/** Whether a name holds a control character or half a surrogate pair: such a name can forge lines and be stored nowhere. */
export function hasControls(name: string): boolean {
  return controls.test(name);
}

/** The beginning of a text, at most `length` UTF-16 units of it; no surrogate pair is cut in two. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/**
 * The name a person would call a model by: that of the file that was uploaded, the folder of `…/digits-mlp/model.onnx`, else the
 * file in its address.
 */
export function modelTitle(url: string, uploadedAs?: string): string {
  if (uploadedAs !== undefined) return uploadedAs;
  const parts = url
    .replace(/[?#].*$/, "")
    // The revision of a hub's file.
    .replace(/^(hf:\/\/[^@]*)@.*$/, "$1")
    .split("/")
    .filter(Boolean);
  const file = parts.at(-1) ?? url;
  const parent = parts.at(-2);
  const generic = /^(model|saved_model|network)(\.[a-z0-9]+)+$/i.test(file);
  return generic && parent !== undefined && parts.length > 3 ? parent : file;
}
