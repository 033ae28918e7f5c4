import { modules } from '@isotherm/contract/permissions.ts'
import type { Feature } from '@isotherm/contract/support.ts'
import { limitsOf, modulesOf, retentionOf, useOf } from '../../core/company/subscription-queries.ts'
import type { Context } from '../../platform/context.ts'
import { countSeenDevices, openFeatureRequests } from './queries.ts'

type Module = Feature['module']
type Measure = Feature['measures'][number]

/** Reads what the licences allow of each module, and what the company has of it. Counts of hidden things are for those who may see payments. */
export async function readFeatures(ctx: Context): Promise<Feature[]> {
  const measures = await measuresOf(ctx)
  const { clock, services } = ctx
  const included = services.config.billing.isOn ? await modulesOf(ctx, clock.now()) : null
  const asked = await openFeatureRequests(ctx)
  return modules.map((module) => ({
    module,
    isIncluded: included === null || included.has(module),
    measures: measures[module] ?? [],
    askedAt: asked.get(module)?.toISOString() ?? null,
  }))
}

async function measuresOf(ctx: Context): Promise<Partial<Record<Module, Measure[]>>> {
  const now = ctx.clock.now()
  const [limits, use] = [await limitsOf(ctx, now), await useOf(ctx, now)]
  const seesAll = ctx.can('payments.view')
  // Where nothing is sold, licences have places for devices, and limit nothing else.
  const isSold = ctx.services.config.billing.isOn
  const limited = (name: 'users' | 'emails' | 'phones', isCounted: boolean): Measure => ({
    name,
    used: isCounted ? use[name] : null,
    limit: isSold ? limits[name] : null,
  })
  return {
    devices: [{ name: 'devices', used: seesAll ? use.devices : await countSeenDevices(ctx), limit: limits.devices }],
    alarms: [limited('emails', seesAll), limited('phones', seesAll)],
    reports: [{ name: 'retentionMonths', used: null, limit: await retentionOf(ctx, now) }],
    users: [limited('users', true)],
  }
}
