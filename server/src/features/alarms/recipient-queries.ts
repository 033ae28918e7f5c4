import type { NewRecipient } from '@isotherm/contract/alarm-recipients.ts'
import type { Context } from '../../platform/context.ts'

const tiers = { recipients: 1, escalation: 2 } as const

/** The people who named the addresses of an alarm, by address; null: not known. */
type Namers = ReadonlyMap<string, string | null>

/** For an address in both lists, the person who named it in the first. */
export async function namersOf(ctx: Context, id: string): Promise<Namers> {
  const rows = await ctx.tx
    .selectFrom('alarm_recipients')
    .select(['address', 'named_by'])
    .where('company_id', '=', ctx.companyId)
    .where('alarm_id', '=', id)
    .where('address', 'is not', null)
    .orderBy('tier', 'desc')
    .execute()
  return new Map(rows.map(({ address, named_by }) => [address ?? '', named_by]))
}

/**
 * Replaces one of an alarm's lists. An address that stands keeps who named it, whoever saves: an Admin who changes something else
 * does not vouch for what somebody else named, unless they say so.
 */
export async function replaceRecipients(
  ctx: Context,
  id: string,
  list: keyof typeof tiers,
  recipients: readonly NewRecipient[],
  namers: Namers,
): Promise<void> {
  const tier = tiers[list]
  const vouched = new Set(recipients.flatMap((each) => ('vouched' in each && each.vouched ? rowOf(each).address : [])))
  const namedBy = (address: string | null) => {
    if (address === null) return null
    const namer = namers.get(address)
    return namer === undefined || vouched.has(address) ? ctx.person.id : namer
  }
  await ctx.tx
    .deleteFrom('alarm_recipients')
    .where('company_id', '=', ctx.companyId)
    .where('alarm_id', '=', id)
    .where('tier', '=', tier)
    .execute()
  const rows = mergedByAddress(recipients.map(rowOf))
  if (rows.length > 0)
    await ctx.tx
      .insertInto('alarm_recipients')
      .values(
        rows.map((row) => ({
          company_id: ctx.companyId,
          alarm_id: id,
          tier,
          ...row,
          named_by: namedBy(row.address),
        })),
      )
      .execute()
}

interface StoredRecipient {
  user_id: string | null
  rota_id: string | null
  address: string | null
  channels: string[]
}

function rowOf(recipient: NewRecipient): StoredRecipient {
  const none = { user_id: null, rota_id: null, address: null }
  if ('userId' in recipient) return { ...none, user_id: recipient.userId, channels: recipient.channels }
  if ('rotaId' in recipient) return { ...none, rota_id: recipient.rotaId, channels: recipient.channels }
  if ('email' in recipient) return { ...none, address: recipient.email, channels: ['mail'] }
  if ('phone' in recipient) return { ...none, address: recipient.phone, channels: recipient.channels }
  return { ...none, address: recipient.webhook, channels: ['webhook'] }
}

/** A recipient who is named twice gets one message by each channel. */
function mergedByAddress(rows: readonly StoredRecipient[]): StoredRecipient[] {
  const merged = new Map<string, StoredRecipient>()
  for (const row of rows) {
    const key = `${row.user_id} ${row.rota_id} ${row.address}`
    const channels = [...new Set([...(merged.get(key)?.channels ?? []), ...row.channels])]
    merged.set(key, { ...row, channels })
  }
  return [...merged.values()]
}
