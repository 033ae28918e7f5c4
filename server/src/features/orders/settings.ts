import type { DispatchSettings, ShownDispatchSettings } from '@isotherm/contract/dispatch-settings.ts'
import { findCompany } from '../../core/company/company.ts'
import { currencyOf, dispatchSettingsOf, type KeptSettings } from '../../core/orders/dispatch-settings.ts'
import type { Context, TenantTx } from '../../platform/context.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { saveSettings } from './settings-queries.ts'

const present = async (ctx: TenantTx, kept: KeptSettings): Promise<ShownDispatchSettings> => ({
  ...kept,
  currencyInUse: currencyOf(kept, await findCompany(ctx.tx, ctx.companyId)),
})

export const readSettings = async (ctx: TenantTx): Promise<ShownDispatchSettings> =>
  present(ctx, await dispatchSettingsOf(ctx))

/** Saves how the company dispatches. Throws CHANGED_MEANWHILE. */
export async function changeSettings(
  ctx: Context,
  { version, ...wanted }: DispatchSettings & { version: number },
): Promise<ShownDispatchSettings> {
  const { version: _before, ...before } = await dispatchSettingsOf(ctx)
  const company = await findCompany(ctx.tx, ctx.companyId)
  if (!(await saveSettings(ctx, wanted, version))) throw new AppError('CHANGED_MEANWHILE', { name: company.name })
  ctx.audit({ action: 'orders.settingsChanged', before: { ...before }, after: { ...wanted } })
  return readSettings(ctx)
}
