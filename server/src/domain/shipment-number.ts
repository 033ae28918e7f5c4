/** The number of a shipment in writing: S-000123. */
export const showShipmentNumber = (number: number): string => `S-${String(number).padStart(6, '0')}`

/** The number that somebody wrote, in any spelling: "s 123", "S-000123"; null: it is none. */
export function readShipmentNumber(text: string): number | null {
  const digits = /^\s*s[\s-]*0*(\d{1,9})\s*$/i.exec(text)?.[1]
  return digits === undefined ? null : Number(digits)
}
