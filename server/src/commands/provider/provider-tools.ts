import type { Pool } from '../../platform/db/pool.ts'

/** Where the provider's commands work and speak: `out` gets the results, a line each, `warn` the rest. */
export interface ProviderTools {
  pool: Pool
  /** Where the installation's keys are. */
  dataDir?: string
  /** How people reach the installation: where labels and sign-up links lead to. */
  publicUrl?: string
  out(line: string): void
  warn(line: string): void
}
