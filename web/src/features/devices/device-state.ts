import type { Judgement } from '@isotherm/contract/device-limits.ts'
import type { Device } from '@isotherm/contract/devices.ts'
import type { Tone } from '../../ui/state-dot.tsx'

export interface DeviceState {
  tone: Tone
  /** No data is expected: a ring instead of a filled mark. */
  hollow: boolean
  /** Key below `devices:state`. */
  word: string
}

type Judged = Pick<Device, 'status' | 'judgement'>

const silent: Record<string, DeviceState> = {
  awaiting: { tone: 'none', hollow: true, word: 'awaiting' },
  paused: { tone: 'none', hollow: true, word: 'paused' },
  flightMode: { tone: 'none', hollow: true, word: 'flightMode' },
  off: { tone: 'none', hollow: true, word: 'off' },
  decommissioned: { tone: 'none', hollow: true, word: 'decommissioned' },
  expired: { tone: 'warning', hollow: true, word: 'expired' },
  offline: { tone: 'none', hollow: false, word: 'offline' },
}

/** A device's state in one mark and one word. Out of range outranks late: the goods come first. */
export function stateOf({ status, judgement }: Judged): DeviceState {
  const quiet = silent[status]
  if (quiet) return quiet
  const { temperature, humidity } = judgement
  if (temperature === 'above') return { tone: 'warm', hollow: false, word: 'tooWarm' }
  if (temperature === 'below') return { tone: 'cold', hollow: false, word: 'tooCold' }
  if (humidity === 'above') return { tone: 'warm', hollow: false, word: 'tooHumid' }
  if (humidity === 'below') return { tone: 'cold', hollow: false, word: 'tooDry' }
  if (status === 'late') return { tone: 'warning', hollow: false, word: 'late' }
  return { tone: 'ok', hollow: false, word: temperature || humidity ? 'inRange' : 'live' }
}

/** Are the latest values news, or only the last that was heard? */
export const isHeard = (status: Device['status']): boolean => status === 'live' || status === 'late'

/** The colour of a value: its own judgement while the device is heard, grey when the value is old. */
export function toneOf(judgement: Judgement | null, status: Device['status']): Tone {
  if (!isHeard(status)) return 'none'
  if (judgement === 'above') return 'warm'
  if (judgement === 'below') return 'cold'
  return 'ok'
}

/** Out of range only: in range a value keeps the colour of the text. */
export const alarmTone = (judgement: Judgement | null, status: Device['status']): Tone | undefined =>
  isHeard(status) ? (judgement === 'above' ? 'warm' : judgement === 'below' ? 'cold' : undefined) : 'none'
