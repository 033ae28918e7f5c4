import type { Ack, Command } from './protocol/wire.ts'

/** The settings a tracker keeps in its memory, as its owner wishes them. */
export type Duty = {
  intervalS: number
  transmission: 'started' | 'paused'
  power: 'on' | 'off'
  /** Epoch seconds between which it does not transmit; null: not in flight mode. `until` null: until told otherwise. */
  flight: { from: number; until: number | null } | null
}

export const freshDuty = (intervalS: number): Duty => ({
  intervalS,
  transmission: 'started',
  power: 'on',
  flight: null,
})

/** Whether it takes samples at all. */
export const measures = (duty: Duty): boolean => duty.power === 'on' && duty.transmission === 'started'

/** Whether it may send what it measured. In flight mode it measures on and keeps the readings. */
export function transmits(duty: Duty, at: number): boolean {
  if (!measures(duty)) return false
  return !duty.flight || at < duty.flight.from || (duty.flight.until !== null && at >= duty.flight.until)
}

/** Carries out a command. What it does not understand it refuses, and stays as it was. `at` in epoch seconds. */
export function obey(duty: Duty, command: Command, at: number): { duty: Duty; ack: Ack } {
  const changed = changedBy(duty, command, at)
  return {
    duty: changed ?? duty,
    ack: { commandId: command.commandId, at: new Date(at * 1000).toISOString(), ok: changed !== null },
  }
}

function changedBy(duty: Duty, { kind, value }: Command, at: number): Duty | null {
  if (kind === 'interval') {
    const seconds = value.intervalS ?? value.seconds
    const fits = typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 10 && seconds <= 86_400
    return fits ? { ...duty, intervalS: seconds } : null
  }
  if (kind === 'transmission' && (value.state === 'started' || value.state === 'paused')) {
    return { ...duty, transmission: value.state }
  }
  if (kind === 'power' && (value.state === 'on' || value.state === 'off')) return { ...duty, power: value.state }
  if (kind === 'flight_mode' && value.state === 'off') return { ...duty, flight: null }
  if (kind === 'flight_mode' && value.state === 'on') {
    const [from, until] = [instant(value.from), instant(value.until)]
    return { ...duty, flight: { from: from ?? at, until } }
  }
  return null
}

function instant(value: unknown): number | null {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isFinite(ms) ? ms / 1000 : null
}
