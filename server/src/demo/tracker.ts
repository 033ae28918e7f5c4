/** The facts about a tracker that the demo needs to set it up; a simulated one has them. */
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
