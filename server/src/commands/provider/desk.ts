import type { Pool } from '../../platform/db/pool.ts'

/** Where the provider's commands work and speak: `out` gets the results, a line each, `warn` the rest. */
export interface Desk {
  pool: Pool
  /** Where the installation's keys are. */
  dataDir?: string
  /** Where labels lead to. */
  publicUrl?: string
  out(line: string): void
  warn(line: string): void
}
