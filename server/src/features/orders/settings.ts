import {
  type DispatchSettings,
  type DispatchSettingsChange,
  type OrderList,
  type OrderRecipient,
  type OrderRecipients,
  orderLists,
  type ShownDispatchSettings,
} from '@isotherm/contract/dispatch-settings.ts'
import { knownRotas } from '../../core/alarms/rota-sql.ts'
import { findCompany } from '../../core/company/company.ts'
import { currencyOf, dispatchSettingsOf, type KeptSettings } from '../../core/orders/dispatch-settings.ts'
import { usersAmong } from '../../core/people/users.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, InvalidInput, invalidField } from '../../platform/errors/app-error.ts'
import { orderRecipients, type RecipientTier, replaceOrderRecipients } from './recipient-queries.ts'
import { saveSettings } from './settings-queries.ts'

async function present(ctx: Context, kept: KeptSettings): Promise<ShownDispatchSettings> {
  const lists = await orderRecipients(ctx, ctx.clock.now())
  return {
    ...kept,
    currencyInUse: currencyOf(kept, await findCompany(ctx.tx, ctx.companyId)),
    ...lists,
    // Nobody is left of the second recipients: nothing escalates.
    escalateMinutes: isEmpty(lists.escalation) ? null : kept.escalateMinutes,
  }
}

const isEmpty = (lists: Record<OrderList, readonly unknown[]>) => orderLists.every((list) => lists[list].length === 0)

export const readSettings = async (ctx: Context): Promise<ShownDispatchSettings> =>
  present(ctx, await dispatchSettingsOf(ctx))

/**
 * Saves how the company dispatches. Throws CHANGED_MEANWHILE, and VALIDATION that names recipients who are not there, or an escalation
 * without minutes or recipients.
 */
export async function changeSettings(
  ctx: Context,
  { version, recipients, escalation, ...rest }: DispatchSettingsChange,
): Promise<ShownDispatchSettings> {
  const before = await readSettings(ctx)
  const { reminderMinutes = before.reminderMinutes, escalateMinutes = before.escalateMinutes } = rest
  const company = await findCompany(ctx.tx, ctx.companyId)
  await refuseUnknown(ctx, { recipients, escalation }, before)
  if (escalation || rest.escalateMinutes !== undefined) {
    if ((escalateMinutes === null) !== isEmpty(escalation ?? before.escalation))
      throw invalidField('escalateMinutes', 'rule.escalationWhole')
  }
  if (!(await saveSettings(ctx, { ...rest, reminderMinutes, escalateMinutes }, version)))
    throw new AppError('CHANGED_MEANWHILE', { name: company.name })
  if (recipients) await replaceOrderRecipients(ctx, 'recipients', recipients)
  if (escalation) await replaceOrderRecipients(ctx, 'escalation', escalation)
  const after = await readSettings(ctx)
  ctx.audit({ action: 'orders.settingsChanged', before: factsOf(before), after: factsOf(after) })
  return after
}

async function refuseUnknown(
  ctx: Context,
  tiers: Partial<Record<RecipientTier, OrderRecipients | undefined>>,
  before: ShownDispatchSettings,
): Promise<void> {
  const named = (['recipients', 'escalation'] as const).flatMap((tier) =>
    orderLists.flatMap((list) =>
      (tiers[tier]?.[list] ?? []).map((one, index) => ({ one, path: `${tier}.${list}.${index}` })),
    ),
  )
  const people = await usersAmong(
    ctx,
    named.flatMap(({ one }) => ('userId' in one ? one.userId : [])),
  )
  const rotas = await knownRotas(
    ctx,
    named.flatMap(({ one }) => ('rotaId' in one ? one.rotaId : [])),
  )
  // A person who may not see rotas names no other ones than those that stand.
  const stand = new Set(
    [before.recipients, before.escalation].flatMap(({ late, outOfRange }) =>
      [...late, ...outOfRange].map(({ rotaId }) => rotaId),
    ),
  )
  const isKnownRota = (id: string) => rotas.has(id) && (ctx.can('alarms.view') || stand.has(id))
  const problems = named.flatMap(({ one, path }) => {
    const isKnown = 'userId' in one ? people.has(one.userId) : isKnownRota(one.rotaId)
    const field = 'userId' in one ? 'userId' : 'rotaId'
    return isKnown ? [] : [{ path: `${path}.${field}`, message: { key: 'fields.rule.unknownItem', values: {} } }]
  })
  if (problems.length > 0) throw new InvalidInput(problems)
}

/** Settings as the trail tells them: people and rotas by their names. */
function factsOf({
  version: _v,
  currencyInUse: _c,
  recipients,
  escalation,
  ...settings
}: ShownDispatchSettings): DispatchSettings & Record<`${OrderList}${'Recipients' | 'Escalation'}`, string[]> {
  const told = (list: readonly OrderRecipient[]) => list.map(({ name, channels }) => `${name} (${channels.join(', ')})`)
  return {
    ...settings,
    ...{ lateRecipients: told(recipients.late), outOfRangeRecipients: told(recipients.outOfRange) },
    ...{ lateEscalation: told(escalation.late), outOfRangeEscalation: told(escalation.outOfRange) },
  }
}
