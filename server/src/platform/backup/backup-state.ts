import { Gauge, type Registry } from 'prom-client'
import type { ListedDrill } from './drills.ts'
import type { ServerPosition } from './wal-receiver.ts'
import type { WalWriter } from './wal-writer.ts'

const DAY_MS = 86_400_000

/** Facts that an operator should know of the backup that is being kept. */
export interface BackupFacts {
  stretch: string | null
  isReceiving: boolean
  behindBytes: number
  behindS: number
  baseAgeDays: number | null
  /** Since the last drill without a fault; only what the server signed counts. */
  drillAgeDays: number | null
  drillPassed: boolean | null
  unprovenDrills: string[]
  freeBytes: number | null
  fault: string | null
}

/** The state of the backup of this server: its keeper writes it, metrics and the status page read it. */
export class BackupState {
  stretch: string | null = null
  baseAt: Date | null = null
  baseFault: string | null = null
  /** Oldest first. */
  drills: ListedDrill[] = []
  /** The names of objects that they were read from. */
  drillNames = ''
  /** Names of records that nobody proved to have made with the identity. */
  unprovenDrills: string[] = []
  free: number | null = null
  #fault: string | null = null
  #isReceiving = false
  #behind = 0
  /** When all that the server had was stored, last. */
  #caughtUpAt = Date.now()

  begin(stretch: string): void {
    if (this.stretch !== stretch) this.baseAt = null
    this.stretch = stretch
  }

  /** Follows a writer; `onHeard` is told of each message of the server. */
  follow(writer: WalWriter, onHeard: () => void): (server: ServerPosition) => void {
    return ({ end }) => {
      this.#isReceiving = true
      this.#fault = null
      this.#behind = Math.max(0, Number(end - writer.stored))
      if (this.#behind === 0) this.#caughtUpAt = Date.now()
      onHeard()
    }
  }

  fail(message: string): void {
    this.#isReceiving = false
    this.#fault = message
  }

  facts(now = Date.now()): BackupFacts {
    const isCurrent = this.#isReceiving && this.#behind === 0
    const signed = this.drills.flatMap(({ state, drill }) => (state === 'signed' && drill ? [drill] : []))
    const good = signed.filter(({ faults }) => faults.length === 0).at(-1)
    const newest = signed.at(-1)
    const days = (at: Date | null) => (at ? Math.max(0, (now - at.getTime()) / DAY_MS) : null)
    return {
      ...{ stretch: this.stretch, isReceiving: this.#isReceiving, behindBytes: this.#behind, freeBytes: this.free },
      behindS: isCurrent ? 0 : Math.max(0, (now - this.#caughtUpAt) / 1000),
      baseAgeDays: days(this.baseAt),
      drillAgeDays: days(good ? new Date(good.at) : null),
      drillPassed: newest ? newest.faults.length === 0 : null,
      unprovenDrills: this.unprovenDrills,
      fault: this.#fault ?? this.baseFault,
    }
  }

  /** Registers the gauges; what is not known yet has no value. */
  report(registry: Registry): void {
    const gauge = (name: string, help: string, read: (facts: BackupFacts) => number | null) => {
      const facts = () => this.facts()
      new Gauge({
        ...{ name: `isotherm_backup_${name}`, help, registers: [registry] },
        collect() {
          const value = read(facts())
          if (value === null) this.remove()
          else this.set(value)
        },
      })
    }
    gauge('receiving', '1 while the write-ahead log is received', ({ isReceiving }) => Number(isReceiving))
    gauge('behind_bytes', 'Bytes of the log that the backup does not have yet', ({ behindBytes }) => behindBytes)
    gauge('behind_seconds', 'Seconds since the backup had all of the log', ({ behindS }) => behindS)
    gauge('base_age_days', 'Days since the last base backup began', ({ baseAgeDays }) => baseAgeDays)
    gauge('drill_age_days', 'Days since a drill last found no fault', ({ drillAgeDays }) => drillAgeDays)
    gauge('drill_passed', '1 where the last drill found no fault', (facts) =>
      facts.drillPassed === null ? null : Number(facts.drillPassed),
    )
    gauge('free_bytes', 'Free bytes of the disk of BACKUP_DIR', ({ freeBytes }) => freeBytes)
  }
}

const tooOldDays = { base: 9, drill: 40 }
const leastFree = 2e9

/** Sentences that an operator should act upon. */
export function backupWarnings(facts: BackupFacts): string[] {
  const { isReceiving, behindS, baseAgeDays, drillAgeDays, drillPassed, unprovenDrills, freeBytes, fault } = facts
  return [
    ...(fault ? [`Backup: ${fault}`] : []),
    ...(isReceiving && behindS < 120
      ? []
      : [`Backup: the log of the last ${Math.round(behindS)} s is not stored yet.`]),
    ...(baseAgeDays === null || baseAgeDays > tooOldDays.base
      ? ['Backup: there is no base backup of the last week.']
      : []),
    ...(drillAgeDays === null || drillAgeDays > tooOldDays.drill
      ? [`Backup: no drill within ${tooOldDays.drill} days: run "backup drill".`]
      : []),
    ...(drillPassed === false ? ['Backup: the last drill found faults.'] : []),
    ...(unprovenDrills.length > 0
      ? [`Backup: not proven to be a drill, and not signed: ${unprovenDrills.slice(0, 5).join(', ')}.`]
      : []),
    ...(freeBytes !== null && freeBytes < leastFree ? ['Backup: the disk of BACKUP_DIR is nearly full.'] : []),
  ]
}
