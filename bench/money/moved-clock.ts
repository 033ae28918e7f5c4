import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { systemClock } from '../../server/src/platform/clock/clock.ts'
import { DatabaseClock } from '../../server/src/platform/clock/database-clock.ts'

/** A clock that is ahead of the machine's by the milliseconds in a file, which every process of a bench or a test shares. */
export const movedClock = (path: string) => () => new Date(Date.now() + Number(readFileSync(path, 'utf8')))

/** This process goes by that clock, also where it has a database of its own, whose clock is not moved. */
export function goBy(path: string): void {
  const now = movedClock(path)
  systemClock.now = now
  DatabaseClock.prototype.now = now
}

/** Puts the clock so far ahead. A reader meets the old or the new offset, never an empty file. */
export function moveClock(path: string, aheadMs: number): void {
  writeFileSync(`${path}.next`, String(aheadMs))
  renameSync(`${path}.next`, path)
}
