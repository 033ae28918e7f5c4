/** A waybill as papers have it: 706-1234 5675. */
export const showAwb = (awb: string | null): string | null =>
  awb?.replace(/^(\d{3})(\d{4})(\d{4})$/, '$1-$2 $3') ?? null

/** Whether a number is that of a swap body (EN 13044), which lorries and trains carry and vessels do not. */
export const isSwapBody = (text: string): boolean =>
  /^[A-Z]{3}[ABDEK]\d{7}$/.test(text.toUpperCase().replace(/[^A-Z0-9]/g, ''))
