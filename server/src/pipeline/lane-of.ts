/** The lane that alone writes a device. */
export const laneOf = (companyId: number, deviceId: number, lanes: number): number =>
  (companyId * 31 + deviceId) % lanes
