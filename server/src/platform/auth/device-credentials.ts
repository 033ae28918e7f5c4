import type { Pool } from '../db/pool.ts'

/** SHA-256 of a device's secret, or null where no such hardware was ever imported. */
export async function deviceSecretHash(pool: Pool, imei: string): Promise<Buffer | null> {
  const { rows } = await pool.query<{ secret_hash: Buffer }>('select secret_hash from hardware where imei = $1', [imei])
  return rows[0]?.secret_hash ?? null
}
