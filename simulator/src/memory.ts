import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Duty } from './duty.ts'
import type { Ack } from './protocol/wire.ts'

/** A tracker's memory over a restart: its settings, until when it has delivered (epoch seconds), its last answers. */
export type Remembered = { duty: Duty; deliveredUntil: number; answered: readonly Ack[] }

export type Memory = {
  recall: (imei: string) => Remembered | undefined
  remember: (imei: string, state: Remembered) => void
  /** Writes what has not been written yet. */
  flush: () => void
}

const writeEveryMs = 2000

/** The fleet's flash memory: one JSON file, replaced whole. Without a path it lasts as long as the process. */
export function memoryOf(path: string | undefined): Memory {
  const states = new Map<string, Remembered>(path ? readFile(path) : [])
  let dirty = false
  let writtenAt = 0
  const flush = () => {
    if (!path || !dirty) return
    writeFileSync(`${path}.new`, JSON.stringify(Object.fromEntries(states)))
    renameSync(`${path}.new`, path)
    dirty = false
    writtenAt = Date.now()
  }
  return {
    recall: (imei) => states.get(imei),
    remember: (imei, state) => {
      states.set(imei, state)
      dirty = true
      if (Date.now() - writtenAt > writeEveryMs) flush()
    },
    flush,
  }
}

function readFile(path: string): [string, Remembered][] {
  try {
    return Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, Remembered>)
  } catch {
    // No file yet, or one from a crash in the middle of a write: the trackers start with their factory settings.
    return []
  }
}
