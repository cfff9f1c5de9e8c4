export { modelTitle } from "@/lib/common/text";
export { afterLoad } from "./after-load";
export { Age, useAgeWords } from "./age";
export { Amount } from "./amount";
export { ChoiceRow } from "./choice-row";
export { CopyButton } from "./copy-button";
export { Empty } from "./empty";
export { ErrorLink } from "./error-link";
export { ErrorNote } from "./error-note";
export { FormField } from "./form-field";
export {
  formatBytes,
  formatCount,
  formatDigits,
  formatDuration,
  formatMhz,
  formatNs,
  formatShape,
  formatShare,
  quantityOfBytes,
  quantityOfNs,
  quantityOfShare,
  shortDigest,
  shortId,
} from "./format";
export { FullestPart } from "./fullest-part";
export { HeadingLink } from "./heading-link";
export { LinkNote } from "./link-note";
export { Loaded } from "./loaded";
export { Notices } from "./notices";
export { type Notice, notify } from "./notify";
export { useNow } from "./now";
export { setOutdated, useOutdated } from "./outdated";
export { PathLine, type Stations } from "./path-line";
export { Picture, type PictureColumn } from "./picture";
export { ResourceBar } from "./resource-bar";
export { ResourceBars } from "./resource-bars";
export { RetryButton } from "./retry-button";
export { saveFile } from "./save-file";
export { Section } from "./section";
export { Skeleton } from "./skeleton";
export { StateButton } from "./state-button";
export { StateMark, ToneIcon } from "./state-mark";
export { StateWhy } from "./state-why";
export { submitOnce } from "./submit-once";
export { TabLinks } from "./tab-links";
export { TerminalCommand } from "./terminal-command";
export { TextField } from "./text-field";
export { type Appearance, toneClass } from "./tone";
export { TypedConfirmation } from "./typed-confirmation";
export { Unknown } from "./unknown";
export { useAfterLoad } from "./use-after-load";
export { useAppearances } from "./use-appearances";
export { useChosen } from "./use-chosen";
export { useHash } from "./use-hash";
export { useHydrated } from "./use-hydrated";
export { useOrigin } from "./use-origin";
export { type ResourceName, useResourceName, useResourceShare } from "./use-resource-name";
export { useTypedEarly } from "./use-typed-early";
export { useWhen } from "./use-when";
export { useWidth } from "./use-width";
