import { listBoardModels } from "./registry";
import type { BoardModel } from "./schema";

/** What a device says of itself on USB: ids as four hexadecimal digits. */
export interface UsbDevice {
  readonly vendorId: string;
  readonly productId: string;
  readonly product: string;
}

/**
 * Board models that a device on USB may be, the likeliest first. Boards share bridge chips, so there may be several; a board
 * whose very product text it is wins over those that are known by the chip alone. None for other devices.
 */
export function boardModelsOnUsb({ vendorId, productId, product }: UsbDevice): BoardModel[] {
  const alike = listBoardModels().filter(
    ({ usb }) => usb?.vendorId === vendorId && usb.productId === productId,
  );
  const named = alike.filter(({ usb }) => usb?.products.some((text) => product.startsWith(text)));
  return named.length > 0 ? named : alike.filter(({ usb }) => usb?.products.length === 0);
}
