import type { Device, Transmission } from '@isotherm/contract/devices.ts'

type Commanded = Pick<Device, 'waiting' | 'transmission' | 'intervalS'>

/** The transmission that the person last asked for, confirmed or not: a switch shows it, so that a command can be taken back. */
export function requestedTransmission({ waiting, transmission }: Commanded): Transmission {
  const command = waiting.find(({ kind }) => kind === 'transmission')?.value.state
  return command === 'paused' || command === 'started' ? command : transmission
}

/** The interval last asked for, in seconds. */
export function requestedInterval({ waiting, intervalS }: Commanded): number {
  const command = waiting.find(({ kind }) => kind === 'interval')?.value.intervalS
  return typeof command === 'number' ? command : intervalS
}
