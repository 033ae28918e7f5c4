import { OrderPattern, type OrderTemplate } from '@isotherm/contract/order-templates.ts'
import { findCompany } from '../../core/company/company.ts'
import { currencyOf, dispatchSettingsOf } from '../../core/orders/dispatch-settings.ts'
import { refuseOverQuota } from '../../core/quotas/quotas.ts'
import type { Context, Viewer } from '../../platform/context.ts'
import { invalidField, orNotFound } from '../../platform/errors/app-error.ts'
import { usablePattern } from './order-pattern.ts'
import { allTemplates, deleteTemplate, insertTemplate, type TemplateRow } from './template-queries.ts'

const targetOf = ({ id, name }: TemplateRow) => ({ kind: 'orderTemplate', id, name })

const present = async (ctx: Viewer, row: TemplateRow): Promise<OrderTemplate> => ({
  id: row.id,
  name: row.name,
  createdBy: row.created_by_name,
  createdAt: row.created_at.toISOString(),
  order: { ...(await usablePattern(ctx, OrderPattern.parse(row.body))), currency: row.currency },
})

export async function listTemplates(ctx: Viewer): Promise<OrderTemplate[]> {
  const templates: OrderTemplate[] = []
  for (const row of await allTemplates(ctx)) templates.push(await present(ctx, row))
  return templates
}

/** Keeps a template. Throws QUOTA_EXCEEDED, or VALIDATION where the name is taken. */
export async function addTemplate(
  ctx: Context,
  { name, order }: { name: string; order: OrderPattern },
): Promise<OrderTemplate> {
  await refuseOverQuota(ctx, 'orderTemplates')
  const inUse = currencyOf(await dispatchSettingsOf(ctx), await findCompany(ctx.tx, ctx.companyId))
  // In a column of its own: a server of before reads no pattern with a currency.
  const { currency = inUse, ...body } = await usablePattern(ctx, order)
  const row = await insertTemplate(ctx, { name, currency: currency ?? inUse, body })
  if (!row) throw invalidField('name', 'rule.nameTaken')
  ctx.audit({ action: 'orders.templateAdded', target: targetOf(row) })
  return present(ctx, row)
}

export async function removeTemplate(ctx: Context, id: string): Promise<void> {
  const row = orNotFound(await deleteTemplate(ctx, id))
  ctx.audit({ action: 'orders.templateRemoved', target: targetOf(row) })
}
