import { createHmac } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'
import type { Tx } from '../db/transaction.ts'
import type { Services } from '../services.ts'

/** The most networks that are remembered of an account: home, work, phones. */
const maxNetworks = 20

/** The /24 that an IPv4 address is in, the /64 of an IPv6 one. */
export function networkOf(ip: string): string {
  const address = normalizeIP(ip, 64)
  return isIPv4(address) ? address.replace(/\d+$/, '0') : address
}

// Addresses are few enough to be guessed from a plain hash.
const hashOf = (secret: Buffer, network: string): Buffer =>
  createHmac('sha256', secret).update(`network:${network}`).digest()

/** Whether somebody has logged in to this account from this network before. */
export async function isKnownNetwork(
  { pool, secret }: Pick<Services, 'pool' | 'secret'>,
  email: string,
  network: string,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from known_networks n join identities i on i.id = n.identity_id
      where i.email = $1 and n.network_hash = $2`,
    [email, hashOf(secret, network)],
  )
  return rowCount === 1
}

/**
 * Remembers that the person proved who they are from this network, and drops the oldest where there are too many; tells whether it was known. As the
 * login role.
 */
export async function rememberNetwork(
  tx: Tx,
  secret: Buffer,
  about: { identityId: string; network: string; now: Date },
): Promise<boolean> {
  const { identityId, network, now } = about
  const known = await tx
    .selectFrom('known_networks')
    .select('used_at')
    .where('identity_id', '=', identityId)
    .where('network_hash', '=', hashOf(secret, network))
    .executeTakeFirst()
  await tx
    .insertInto('known_networks')
    .values({ identity_id: identityId, network_hash: hashOf(secret, network), used_at: now })
    .onConflict((conflict) => conflict.columns(['identity_id', 'network_hash']).doUpdateSet({ used_at: now }))
    .execute()
  await tx
    .deleteFrom('known_networks')
    .where('identity_id', '=', identityId)
    .where('network_hash', 'not in', (known) =>
      known
        .selectFrom('known_networks')
        .select('network_hash')
        .where('identity_id', '=', identityId)
        .orderBy('used_at', 'desc')
        .limit(maxNetworks),
    )
    .execute()
  return known !== undefined
}
