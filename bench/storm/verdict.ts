import type pg from 'pg'

async function asPipeline<T extends pg.QueryResultRow>(client: pg.Client, sql: string): Promise<T> {
  await client.query('begin; set local role pipeline')
  const { rows } = await client.query<T>(sql)
  await client.query('rollback')
  return rows[0] as T
}

/** Counts what waits, and the units of the poorest wallet. */
export const look = (client: pg.Client) =>
  asPipeline<{ events: number; open: number; least: number }>(
    client,
    `select (select count(*)::int from alarm_events where taken_at is null) as events,
       (select count(*)::int from deliveries where state in ('queued', 'held', 'sending')) as open,
       (select min(balance - reserved) from wallets where kind = 'sms') as least`,
  )

/** The outcome. */
export const verdict = (client: pg.Client) =>
  asPipeline<
    Record<
      | 'triggers'
      | 'lines in-app'
      | 'messages'
      | 'most messages to one, by one channel'
      | 'not in any message'
      | 'unsettled'
      | 'skipped, wallet empty'
      | 'units settled'
      | 'units reserved',
      number
    >
  >(
    client,
    `select (select count(*)::int from alarm_triggers where opened_at is not null) as triggers,
       (select count(*)::int from notifications where kind = 'alarmOpened') as "lines in-app",
       (select count(*)::int from deliveries) as messages,
       (select max(n)::int from (select count(*) as n from deliveries where event = 'opened' and state <> 'skipped' group by company_id, channel, coalesce(user_id::text, address)) m)
         as "most messages to one, by one channel",
       (select count(*)::int from alarm_triggers t where not exists (select from delivery_triggers x
          join deliveries d on d.company_id = x.company_id and d.id = x.delivery_id
          where x.company_id = t.company_id and x.trigger_id = t.id and d.channel = 'mail')) as "not in any message",
       (select count(*)::int from deliveries where state not in ('accepted', 'skipped')) as unsettled,
       (select count(*)::int from deliveries where reason = 'walletEmpty') as "skipped, wallet empty",
       (select coalesce(-sum(units), 0)::int from wallet_entries where kind = 'settled') as "units settled",
       (select sum(reserved)::int from wallets) as "units reserved"`,
  )
