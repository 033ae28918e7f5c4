import { z } from 'zod'
import { hostsIn } from '../db/host-list.ts'
import { onOff } from './values.ts'

const databaseUrl = z.string().refine((text) => hostsIn(text) !== null, {
  error:
    'must be an address that starts with postgres:// or postgresql://; of a primary and its standbys: postgres://USER:PASSWORD@db-1:5432,db-2:5432/NAME',
})

export const databaseVariables = {
  /** Unset: the embedded PostgreSQL. */
  DATABASE_URL: databaseUrl.optional(),
  REQUIRE_SYNC_STANDBY: onOff.default(false),
}

type Data = z.output<z.ZodObject<typeof databaseVariables>>

export const faultsOfDatabase = (data: Data): string[] =>
  data.REQUIRE_SYNC_STANDBY && !data.DATABASE_URL
    ? ['REQUIRE_SYNC_STANDBY must be off without DATABASE_URL: the embedded PostgreSQL has no standby']
    : []

export const databaseOf = (data: Data) => ({
  /** Unset: the embedded PostgreSQL. It may name several hosts. */
  databaseUrl: data.DATABASE_URL,
  /** Whether readings are refused while no synchronous standby follows. */
  requireSyncStandby: data.REQUIRE_SYNC_STANDBY,
})
