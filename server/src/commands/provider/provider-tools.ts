import type { Pool } from '../../platform/db/pool.ts'

/** Where the provider's commands work and speak: `out` gets the results, a line each, `warn` the rest. */
export interface ProviderTools {
  pool: Pool
  /** Where the installation's keys are. */
  dataDir?: string
  /** How people reach the installation: where labels and sign-up links lead to. */
  publicUrl?: string
  /** The time by which money is booked; unset: the machine's. */
  now?(): Date
  out(line: string): void
  warn(line: string): void
}
