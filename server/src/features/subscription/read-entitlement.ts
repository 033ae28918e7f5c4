import type { Entitlement } from '@isotherm/contract/subscription.ts'
import { findCompany } from '../../core/company/company.ts'
import { stateOf } from '../../core/company/subscription.ts'
import { limitsOf, retentionOf, useOf } from '../../core/company/subscription-queries.ts'
import { deletionOf } from '../../core/retention/deletion.ts'
import type { Context } from '../../platform/context.ts'
import { adminNames, renewalOf } from './queries.ts'

/** How the company stands with its plan. Figures are for who may see payments. */
export async function readEntitlement(ctx: Context): Promise<Entitlement> {
  const now = ctx.clock.now()
  const company = await findCompany(ctx.tx, ctx.companyId)
  return {
    state: stateOf(company, now),
    until: company.subscription_until?.toISOString() ?? null,
    ...(await renewalOf(ctx)),
    admins: await adminNames(ctx),
    supportEmail: ctx.services.config.supportEmail,
    use: ctx.can('payments.view') ? await readUse(ctx, now) : null,
  }
}

async function readUse(ctx: Context, now: Date): Promise<Entitlement['use']> {
  const use = await useOf(ctx, now)
  const limits = await limitsOf(ctx, now)
  // Where nothing is sold, licences have places for devices, and limit nothing else.
  const isSold = ctx.services.config.billing.isOn
  const limited = (name: 'users' | 'emails' | 'phones') => ({ used: use[name], limit: isSold ? limits[name] : null })
  return {
    devices: { used: use.devices, limit: limits.devices },
    users: limited('users'),
    emails: limited('emails'),
    phones: limited('phones'),
    retentionMonths: await retentionOf(ctx, now),
    deletion: await deletionOf(ctx, now),
  }
}
