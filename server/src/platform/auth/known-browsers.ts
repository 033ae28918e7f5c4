import { createHmac } from 'node:crypto'
import type { Tx } from '../db/transaction.ts'
import { agentWords } from './agent-words.ts'

/** The most browsers that are remembered of an account. */
const maxBrowsers = 50

function hashOf(secret: Buffer, agent: string): Buffer {
  const { browser, system } = agentWords(agent)
  // One that names neither is known by all that it says.
  const name = browser || system ? `${browser} ${system}` : agent
  return createHmac('sha256', secret).update(`browser:${name}`).digest()
}

/** Remembers the browser of a login; tells whether it is the first that is known, one of those, or new. As the login role. */
export async function rememberBrowser(
  tx: Tx,
  secret: Buffer,
  about: { identityId: string; agent: string; now: Date },
): Promise<'first' | 'known' | 'new'> {
  const { identityId, agent, now } = about
  const hash = hashOf(secret, agent)
  const known = await tx
    .selectFrom('known_browsers')
    .select('browser_hash as hash')
    .where('identity_id', '=', identityId)
    .orderBy('used_at', 'desc')
    .execute()
  await tx
    .insertInto('known_browsers')
    .values({ identity_id: identityId, browser_hash: hash, used_at: now })
    .onConflict((conflict) => conflict.columns(['identity_id', 'browser_hash']).doUpdateSet({ used_at: now }))
    .execute()
  const tooMany = known.slice(maxBrowsers - 1).map((each) => each.hash)
  if (tooMany.length > 0)
    await tx
      .deleteFrom('known_browsers')
      .where('identity_id', '=', identityId)
      .where('browser_hash', 'in', tooMany)
      .where('browser_hash', '!=', hash)
      .execute()
  if (known.length === 0) return 'first'
  return known.some((each) => each.hash.equals(hash)) ? 'known' : 'new'
}
