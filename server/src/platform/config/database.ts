import { z } from 'zod'
import { hostsIn } from '../db/host-list.ts'
import { onOff } from './values.ts'

const databaseUrl = z.string().refine((text) => hostsIn(text) !== null, {
  error:
    'must be an address that starts with postgres:// or postgresql://; of a primary and its standbys: postgres://USER:PASSWORD@db-1:5432,db-2:5432/NAME',
})

const replicaUrl = databaseUrl.refine((text) => (hostsIn(text)?.length ?? 1) === 1, {
  error: 'must name one host: that of the replica',
})

export const databaseVariables = {
  /** Unset: the embedded PostgreSQL. */
  DATABASE_URL: databaseUrl.optional(),
  REPLICA_URL: replicaUrl.optional(),
  REQUIRE_SYNC_STANDBY: onOff.default(false),
}

type Data = z.output<z.ZodObject<typeof databaseVariables>>

export const faultsOfDatabase = (data: Data): string[] => {
  if (data.DATABASE_URL) return []
  return [
    ...(data.REQUIRE_SYNC_STANDBY
      ? ['REQUIRE_SYNC_STANDBY must be off without DATABASE_URL: the embedded PostgreSQL has no standby']
      : []),
    ...(data.REPLICA_URL
      ? ['REPLICA_URL must be unset without DATABASE_URL: the embedded PostgreSQL has no replica']
      : []),
  ]
}

export const databaseOf = (data: Data) => ({
  /** Unset: the embedded PostgreSQL. It may name several hosts. */
  databaseUrl: data.DATABASE_URL,
  /** Set: charts, reports and exports are read from there. */
  replicaUrl: data.REPLICA_URL,
  /** Whether readings are refused while no synchronous standby follows. */
  requireSyncStandby: data.REQUIRE_SYNC_STANDBY,
})
