import { type CauseChange, causeCodes, type ExcursionCause, excursionLimits } from '@isotherm/contract/excursions.ts'
import { lockCompany } from '../../core/company/company-queries.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import type { Context } from '../../platform/context.ts'
import { invalidField, orNotFound } from '../../platform/errors/app-error.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { insertCause, keepCode, keptCauses, lockCause, updateCause } from './cause-queries.ts'

/** The causes of the company, those that are offered first, by name; codes that the table does not have are offered. */
export async function listCauses(ctx: Context): Promise<ExcursionCause[]> {
  const kept = await keptCauses(ctx)
  const fresh = causeCodes
    .filter((code) => !kept.some(({ key }) => key === code))
    .map((code) => ({ key: code, name: translate(ctx.locale, `excursions:causes.${code}`), isRetired: false }))
  return [...kept, ...fresh].sort(
    (a, b) => Number(a.isRetired) - Number(b.isRetired) || a.name.localeCompare(b.name, ctx.locale),
  )
}

const isCode = (key: string) => causeCodes.some((code) => code === key)

/** A cause by its key, locked; a code that the table does not have is kept in it. Throws NOT_FOUND. */
export async function takeCause(ctx: Context, key: string): Promise<ExcursionCause & { id: string }> {
  if (isCode(key)) await keepCode(ctx, key)
  const { id, name, retired_at } = orNotFound(await lockCause(ctx, key))
  return { id, key, name: name ?? translate(ctx.locale, `excursions:causes.${key}`), isRetired: retired_at !== null }
}

const target = ({ key, name }: ExcursionCause) => ({ kind: 'cause', id: key, name })

/** Throws VALIDATION where there is one of that name, or as many as there may be. */
export async function addCause(ctx: Context, name: string): Promise<ExcursionCause> {
  await lockCompany(ctx.tx, ctx.companyId)
  const causes = await listCauses(ctx)
  refuseTaken(causes, name)
  if (causes.length >= excursionLimits.causes)
    throw invalidField('name', 'rule.tooManyCauses', { limit: excursionLimits.causes })
  const { id } = await insertCause(ctx, name)
  const cause = { key: id, name, isRetired: false }
  ctx.audit({ action: 'devices.causeAdded', target: target(cause), after: { name } })
  return cause
}

/** Renames a cause, retires it or offers it again. Throws NOT_FOUND or VALIDATION. */
export async function changeCause(ctx: Context, key: string, change: CauseChange): Promise<ExcursionCause> {
  await lockCompany(ctx.tx, ctx.companyId)
  const { id, ...before } = await takeCause(ctx, key)
  const causes = await listCauses(ctx)
  const after = { ...before, name: change.name ?? before.name, isRetired: change.isRetired ?? before.isRetired }
  const others = causes.filter((cause) => cause.key !== key)
  if (after.name !== before.name) refuseTaken(others, after.name)
  const changes = changesOf(before, after)
  if (Object.keys(changes.after).length === 0) return before
  await updateCause(ctx, id, {
    ...(after.name !== before.name && { name: after.name }),
    retired_at: after.isRetired ? ctx.clock.now() : null,
  })
  ctx.audit({ action: 'devices.causeChanged', target: target(after), ...changes })
  return after
}

function refuseTaken(causes: readonly ExcursionCause[], name: string) {
  if (causes.some((cause) => cause.name.toLowerCase() === name.toLowerCase()))
    throw invalidField('name', 'rule.nameTaken')
}
