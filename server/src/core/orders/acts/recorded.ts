/** The devices that the record of an order is of: its cargo's, or its vehicle's where the cargo has none. */
export function recordedOf(devices: readonly { id: number; role: string }[]): number[] {
  const cargo = devices.filter(({ role }) => role === 'cargo')
  return (cargo.length > 0 ? cargo : devices).map(({ id }) => id)
}
