/** The picture of the switches' page; every field can be switched. */
export interface Picture {
  measures: ('temperature' | 'humidity' | 'battery' | 'light')[]
  days: 1 | 7 | 30
  isCompared: boolean
  layout: 'stacked' | 'shared'
  scheme: 'light' | 'dark'
  /** CSS pixels. */
  width: number
  height: number
  /** Devices whose lines stand behind; the second is the chosen one. */
  others: number
  /** Flags of alarms. */
  marks: number
  /** Readings that came since the page was opened. */
  newReadings: number
}

/** The functions of the page's `window.switches`. */
export interface Switches {
  /** Shows a picture in the chart that is used again and again; resolves once it is painted. */
  show(picture: Picture): Promise<void>
  /** Where the plots of the used chart lie on the page, CSS pixels, to drag over. */
  box(): { x: number; y: number; width: number; height: number }
  /** Waits for the zoom to rest and draws the same in a chart that has shown nothing yet: how many pixels differ. */
  compare(): Promise<number>
  /** Begins a chart anew. */
  begin(): void
}
