import type { Dashboard } from '@isotherm/contract/dashboard.ts'
import type { Permission } from '@isotherm/contract/permissions.ts'
import { findCompany } from '../../core/company/company.ts'
import type { Context } from '../../platform/context.ts'
import { stepsDone } from './first-steps-queries.ts'

type Step = NonNullable<Dashboard['firstSteps']>[number]['step']

const steps: readonly { step: Step; needs: Permission }[] = [
  { step: 'device', needs: 'devices.addOrEdit' },
  { step: 'limits', needs: 'devices.addOrEdit' },
  { step: 'alarm', needs: 'alarms.addOrEdit' },
  { step: 'person', needs: 'users.addOrEdit' },
  { step: 'group', needs: 'groups.addOrEdit' },
]
const shownForMs = 90 * 86_400_000

/** The first steps of a new company that the person may take; null once that is done, or an Admin hid it, or after 90 days. */
export async function firstStepsOf(ctx: Context): Promise<Dashboard['firstSteps']> {
  const possible = steps.filter(({ needs }) => ctx.can(needs))
  if (possible.length === 0) return null
  const company = await findCompany(ctx.tx, ctx.companyId)
  const isOld = ctx.clock.now().getTime() - company.created_at.getTime() > shownForMs
  if (isOld || company.first_steps_hidden_at) return null
  const done = await stepsDone(ctx)
  const shown = possible.map(({ step }) => ({ step, isDone: done[step] }))
  return shown.every(({ isDone }) => isDone) ? null : shown
}
