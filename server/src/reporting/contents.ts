import { type ReportContents, tablesAmong } from '@isotherm/contract/device-reports.ts'
import type { Context } from '../platform/context.ts'
import { invalidField } from '../platform/errors/app-error.ts'

/** Whether a person may see everything that a report tells of its devices. */
export const seesContents = ({ can }: Pick<Context, 'can'>, contents: readonly string[]): boolean =>
  can('alarms.view') || !contents.includes('alarms')

/** Throws VALIDATION where a report would tell its owner what their role may not see. */
export function checkContents(ctx: Context, contents: readonly ReportContents[]): void {
  if (!seesContents(ctx, contents)) throw invalidField('contents', 'rule.alarmsNotSeen')
}

/** The table of a file that has one only: the readings, where they were chosen. */
export function onlyTable(contents: readonly ReportContents[]) {
  const [first = 'stats', ...more] = tablesAmong(contents)
  return more.includes('readings') ? 'readings' : first
}
