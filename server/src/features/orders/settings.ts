import {
  type DispatchSettings,
  type DispatchSettingsChange,
  type OrderRecipients,
  orderLists,
  type ShownDispatchSettings,
} from '@isotherm/contract/dispatch-settings.ts'
import { findCompany } from '../../core/company/company.ts'
import { currencyOf, dispatchSettingsOf, type KeptSettings } from '../../core/orders/dispatch-settings.ts'
import type { Context, TenantTx } from '../../platform/context.ts'
import { AppError, InvalidInput } from '../../platform/errors/app-error.ts'
import { knownPeople, orderRecipients, replaceOrderRecipients } from './recipient-queries.ts'
import { saveSettings } from './settings-queries.ts'

const present = async (ctx: TenantTx, kept: KeptSettings): Promise<ShownDispatchSettings> => ({
  ...kept,
  currencyInUse: currencyOf(kept, await findCompany(ctx.tx, ctx.companyId)),
  recipients: await orderRecipients(ctx),
})

export const readSettings = async (ctx: TenantTx): Promise<ShownDispatchSettings> =>
  present(ctx, await dispatchSettingsOf(ctx))

/** Saves how the company dispatches. Throws CHANGED_MEANWHILE, and VALIDATION that names recipients who are not there. */
export async function changeSettings(
  ctx: Context,
  { version, recipients, reminderMinutes, ...rest }: DispatchSettingsChange,
): Promise<ShownDispatchSettings> {
  const before = await readSettings(ctx)
  const wanted = { ...rest, reminderMinutes: reminderMinutes === undefined ? before.reminderMinutes : reminderMinutes }
  const company = await findCompany(ctx.tx, ctx.companyId)
  if (recipients) await refuseUnknown(ctx, recipients)
  if (!(await saveSettings(ctx, wanted, version))) throw new AppError('CHANGED_MEANWHILE', { name: company.name })
  if (recipients) await replaceOrderRecipients(ctx, recipients)
  const after = await readSettings(ctx)
  ctx.audit({ action: 'orders.settingsChanged', before: factsOf(before), after: factsOf(after) })
  return after
}

async function refuseUnknown(ctx: TenantTx, recipients: OrderRecipients): Promise<void> {
  const known = await knownPeople(
    ctx,
    orderLists.flatMap((list) => recipients[list].map(({ userId }) => userId)),
  )
  const problems = orderLists.flatMap((list) =>
    recipients[list].flatMap(({ userId }, index) =>
      known.has(userId)
        ? []
        : [{ path: `recipients.${list}.${index}.userId`, message: { key: 'fields.rule.unknownItem', values: {} } }],
    ),
  )
  if (problems.length > 0) throw new InvalidInput(problems)
}

/** Settings as the trail tells them: people by their names. */
function factsOf({
  version: _v,
  currencyInUse: _c,
  recipients,
  ...settings
}: ShownDispatchSettings): DispatchSettings & {
  lateRecipients: string[]
  outOfRangeRecipients: string[]
} {
  const told = (list: (typeof orderLists)[number]) =>
    recipients[list].map(({ name, channels }) => `${name} (${channels.join(', ')})`)
  return { ...settings, lateRecipients: told('late'), outOfRangeRecipients: told('outOfRange') }
}
