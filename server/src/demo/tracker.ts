/** What the demo needs to know of a tracker to set it up; a simulated one is such. */
export interface DemoTracker {
  imei: string
  type: string
  tag: string
  visibility: 'private' | 'public'
  intervalS: number
  licenceMonths: number
  /** A tracker with several probes is several devices. */
  probes: readonly { probe: number; name: string; limits: DemoLimits }[]
}

export interface DemoLimits {
  temperatureMinC?: number
  temperatureMaxC?: number
  humidityMinPct?: number
  humidityMaxPct?: number
}
