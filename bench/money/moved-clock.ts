import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/** A clock that is ahead of the machine's by the milliseconds in a file, which every process of a bench or a test shares. */
export const movedClock = (path: string) => () => new Date(Date.now() + Number(readFileSync(path, 'utf8')))

/** Puts the clock so far ahead. A reader meets the old or the new offset, never an empty file. */
export function moveClock(path: string, aheadMs: number): void {
  writeFileSync(`${path}.next`, String(aheadMs))
  renameSync(`${path}.next`, path)
}
