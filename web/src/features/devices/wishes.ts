import type { Device, Transmission } from '@isotherm/contract/devices.ts'

type Wishful = Pick<Device, 'waiting' | 'transmission' | 'intervalS'>

/** What the person last asked for, confirmed by the device or not: what a switch shows, so that a wish can be taken back. */
export function wishedTransmission({ waiting, transmission }: Wishful): Transmission {
  const wish = waiting.find(({ kind }) => kind === 'transmission')?.value.state
  return wish === 'paused' || wish === 'started' ? wish : transmission
}

/** The interval last asked for, in seconds. */
export function wishedInterval({ waiting, intervalS }: Wishful): number {
  const wish = waiting.find(({ kind }) => kind === 'interval')?.value.intervalS
  return typeof wish === 'number' ? wish : intervalS
}
