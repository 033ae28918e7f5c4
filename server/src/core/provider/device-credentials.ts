import type { Pool } from '../../platform/db/pool.ts'

/** SHA-256 of the secrets of those of these trackers that were ever imported, by IMEI. */
export async function deviceSecretHashes(pool: Pool, imeis: readonly string[]): Promise<Map<string, Buffer>> {
  const { rows } = await pool.query<{ imei: string; secret_hash: Buffer }>({
    name: 'device_secrets',
    text: 'select imei, secret_hash from hardware where imei = any($1)',
    values: [imeis],
  })
  return new Map(rows.map((row) => [row.imei, row.secret_hash]))
}
