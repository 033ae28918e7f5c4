import type { Client, Pool } from '../../platform/db/pool.ts'
import { asPipeline } from '../../platform/db/transaction.ts'
import type { PushTarget } from '../../platform/messaging/web-push.ts'
import type { Recipient } from './reading.ts'

const browsersSql = `
select p.company_id as "companyId", p.user_id as "userId", array_agg(p.id::text order by p.id) as browsers
from push_subscriptions p
join notification_settings s on s.company_id = p.company_id and s.user_id = p.user_id and s.push
where (p.company_id, p.user_id) in (select * from unnest($1::int4[], $2::int8[])) group by 1, 2`

interface Person {
  companyId: number
  userId: string
}

/** The browsers that people want pushes in, as ids of subscriptions. */
export async function readBrowsers(client: Client, people: readonly Person[]): Promise<(of: Person) => string[]> {
  const key = ({ companyId, userId }: Person) => `${companyId} ${userId}`
  const { rows } = await client.query<Person & { browsers: string[] }>(browsersSql, [
    people.map(({ companyId }) => companyId),
    people.map(({ userId }) => userId),
  ])
  const known = new Map(rows.map((row) => [key(row), row.browsers]))
  return (person) => known.get(key(person)) ?? []
}

/**
 * Recipients, and beside every person a recipient for each of their browsers: whatever comes to the notification centre is
 * pushed. The address is the subscription's id: an endpoint is a secret of its browser and stays where it is kept.
 */
export async function withBrowsers(client: Client, recipients: readonly Recipient[]): Promise<Recipient[]> {
  const people = recipients.flatMap(({ companyId, userId }) => (userId === null ? [] : [{ companyId, userId }]))
  if (people.length === 0) return [...recipients]
  const browsersOf = await readBrowsers(client, people)
  const browsers = recipients.flatMap((recipient) => {
    const { companyId, userId } = recipient
    if (userId === null) return []
    return browsersOf({ companyId, userId }).map((id) => ({ ...recipient, address: id, channels: ['push'] }))
  })
  return [...recipients, ...browsers]
}

/** The browser of a subscription; undefined once it is gone. */
export const readPushTarget = (pool: Pool, companyId: number, id: string): Promise<PushTarget | undefined> =>
  asPipeline(pool, async ({ client }) => {
    const sql = 'select endpoint, p256dh, auth from push_subscriptions where company_id = $1 and id = $2'
    return (await client.query<PushTarget>(sql, [companyId, id])).rows[0]
  })
