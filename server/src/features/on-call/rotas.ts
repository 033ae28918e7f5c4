import { type NewOverride, type NewRota, onCallLimits, type RotaChange } from '@isotherm/contract/on-call.ts'
import { usersAmong } from '../../core/people/users.ts'
import { changesOf } from '../../platform/audit/changes.ts'
import type { Context } from '../../platform/context.ts'
import { refuseOutdated } from '../../platform/db/versions.ts'
import { AppError, InvalidInput, invalidField, orNotFound } from '../../platform/errors/app-error.ts'
import { deleteOverride, deleteOverridesBefore, findRotaOf, insertOverride } from './override-queries.ts'
import { auditSnapshot, nameIn, target } from './present.ts'
import {
  archiveRota,
  findRota,
  insertRota,
  isNameTaken,
  listRotas,
  lockRotas,
  type RotaRow,
  updateRota,
} from './rota-queries.ts'

const load = async (ctx: Context, id: string): Promise<RotaRow> => orNotFound(await findRota(ctx, id))

/** Throws VALIDATION for a name that another rota has, and for people who are not in the team. */
async function check(ctx: Context, { name, people }: NewRota, before?: RotaRow): Promise<void> {
  if (await isNameTaken(ctx, name, before?.id)) throw invalidField('name', 'rule.nameTaken')
  await checkPeople(
    ctx,
    people.flatMap((userId, index) =>
      before?.plan.people.includes(userId) ? [] : [[`people.${index}`, userId] as const],
    ),
  )
}

async function checkPeople(ctx: Context, named: readonly (readonly [path: string, userId: string])[]): Promise<void> {
  const known = await usersAmong(
    ctx,
    named.map(([, userId]) => userId),
  )
  const message = { key: 'fields.rule.unknownItem', values: {} }
  const problems = named.flatMap(([path, userId]) => (known.has(userId) ? [] : [{ path, message }]))
  if (problems.length > 0) throw new InvalidInput(problems)
}

/** Adds a rota. Throws VALIDATION, ROTA_FULL. */
export async function addRota(ctx: Context, rota: NewRota): Promise<RotaRow> {
  await lockRotas(ctx)
  await check(ctx, rota)
  const { rotas: limit } = onCallLimits
  if ((await listRotas(ctx)).length >= limit) throw new AppError('ROTA_FULL', { limit })
  const row = await load(ctx, await insertRota(ctx, rota, ctx.clock.now()))
  ctx.audit({ action: 'alarms.rotaCreated', target: target(row), after: auditSnapshot(row) })
  return row
}

/**
 * Replaces a rota but for its overrides. Somebody who was removed from the team can stay, so that the order of the others stays.
 * Throws NOT_FOUND, CHANGED_MEANWHILE, VALIDATION.
 */
export async function changeRota(ctx: Context, id: string, { version, ...rota }: RotaChange): Promise<RotaRow> {
  await lockRotas(ctx)
  const before = await load(ctx, id)
  if (version !== undefined) refuseOutdated({ name: before.plan.name, version: before.version }, version)
  await check(ctx, rota, before)
  await updateRota(ctx, id, rota)
  const after = await load(ctx, id)
  const changes = changesOf(auditSnapshot(before), auditSnapshot(after))
  ctx.audit({ action: 'alarms.rotaChanged', target: target(after), ...changes })
  return after
}

/** Deletes a rota: alarms and settings of dispatch that name it tell nobody by it from now on. Throws NOT_FOUND. */
export async function removeRota(ctx: Context, id: string): Promise<void> {
  await lockRotas(ctx)
  const row = await load(ctx, id)
  await archiveRota(ctx, id, ctx.clock.now())
  ctx.audit({ action: 'alarms.rotaDeleted', target: target(row), before: auditSnapshot(row) })
}

const keptMs = 30 * 86_400_000

/** Lets one person stand in for another for a time. Throws NOT_FOUND, VALIDATION, ROTA_FULL. */
export async function addOverride(ctx: Context, id: string, override: NewOverride): Promise<RotaRow> {
  const now = ctx.clock.now().getTime()
  await lockRotas(ctx)
  await load(ctx, id)
  if (Date.parse(override.to) <= now) throw invalidField('to', 'rule.endInPast')
  await checkPeople(ctx, [
    ['userId', override.userId],
    ['insteadOf', override.insteadOf],
  ])
  await deleteOverridesBefore(ctx, id, new Date(now - keptMs))
  const { overrides: limit } = onCallLimits
  if ((await load(ctx, id)).plan.overrides.length >= limit) throw new AppError('ROTA_FULL', { limit })
  await insertOverride(ctx, id, override)
  const row = await load(ctx, id)
  const { userId, insteadOf, from, to } = override
  const after = { person: nameIn(row, userId), insteadOf: nameIn(row, insteadOf), from, to }
  ctx.audit({ action: 'alarms.overrideAdded', target: target(row), after })
  return row
}

/** Takes an override back. Throws NOT_FOUND. */
export async function removeOverride(ctx: Context, id: string): Promise<void> {
  await lockRotas(ctx)
  const rotaId = orNotFound(await findRotaOf(ctx, id))
  const row = await load(ctx, rotaId)
  const { userId, insteadOf, from, to } = orNotFound(row.plan.overrides.find((each) => each.id === id))
  await deleteOverride(ctx, id)
  const [begin, end] = [new Date(from).toISOString(), new Date(to).toISOString()]
  const before = { person: nameIn(row, userId), insteadOf: nameIn(row, insteadOf), from: begin, to: end }
  ctx.audit({ action: 'alarms.overrideRemoved', target: target(row), before })
}
