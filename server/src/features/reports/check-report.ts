import { type NewReport, reportFault } from '@isotherm/contract/reports.ts'
import { usersAmong } from '../../core/people/users.ts'
import { seesPrivate } from '../../core/visibility/visibility.ts'
import type { Context } from '../../platform/context.ts'
import { InvalidInput, invalidField } from '../../platform/errors/app-error.ts'
import { devicesAmong, groupsAmong } from './chosen-queries.ts'

type Problem = InvalidInput['problems'][number]
type Chosen = Pick<NewReport, 'deviceIds' | 'groupIds' | 'recipients'>

const maxInt4 = 2_147_483_647

/** Throws one 422 that names every device, group or person that is not there, or not the caller's. */
export async function checkChosen(ctx: Context, { deviceIds, groupIds, recipients }: Chosen): Promise<void> {
  const people = recipients.map((each) => ('userId' in each ? each.userId : null))
  const devices = await devicesAmong(
    ctx,
    deviceIds.map(Number).filter((id) => id <= maxInt4),
  )
  const groups = await groupsAmong(ctx, groupIds)
  const users = await usersAmong(
    ctx,
    people.filter((id) => id !== null),
  )
  const problems = [
    ...missing('deviceIds', '', deviceIds, devices),
    ...missing('groupIds', '', groupIds, groups),
    ...missing('recipients', '.userId', people, users),
    ...wrongVouchers(ctx, recipients),
  ]
  if (problems.length > 0) throw new InvalidInput(problems)
}

const wrongVouchers = (ctx: Context, recipients: Chosen['recipients']): Problem[] =>
  recipients.flatMap((each, index) =>
    'email' in each && each.vouched && !seesPrivate(ctx.person)
      ? [{ path: `recipients.${index}.vouched`, message: { key: 'fields.rule.adminsOnly', values: {} } }]
      : [],
  )

const missing = (
  field: string,
  within: string,
  ids: readonly (string | null)[],
  known: ReadonlySet<string>,
): Problem[] =>
  ids.flatMap((id, index) =>
    id === null || known.has(id)
      ? []
      : [{ path: `${field}.${index}${within}`, message: { key: 'fields.rule.unknownItem', values: {} } }],
  )

/** Throws VALIDATION, which names what a whole report lacks. */
export function checkWhole(report: Pick<NewReport, 'deviceIds' | 'groupIds' | 'contents' | 'formats'>): void {
  const fault = reportFault(report)
  if (fault) throw invalidField(fault.path, `rule.${fault.rule}`)
}
