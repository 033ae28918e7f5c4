import type { Call } from '@isotherm/contract/call.ts'
import type { Locale } from '@isotherm/contract/common.ts'
import type { ReportContents, ReportFormat } from '@isotherm/contract/device-reports.ts'
import type { GroupReport } from '@isotherm/contract/group-reports.ts'

/** The fields of every report that is asked for once, built in the background and kept. */
export type Issue = Pick<
  GroupReport,
  'id' | 'period' | 'state' | 'progress' | 'failure' | 'requestedBy' | 'contents' | 'createdAt'
>

export const isUnderWay = ({ state }: Pick<Issue, 'state'>) => state === 'waiting' || state === 'building'

export interface ReportChoice {
  format: ReportFormat
  contents: ReportContents[]
  locale: Locale
}

/** How a kind of report is asked for, looked at and fetched. */
export interface IssuedKind<R extends Issue> {
  /** `recipients`: people of the team who get it by mail. */
  order(choice: ReportChoice, recipients: string[]): Promise<R>
  /** Asked again and again: what fails is toasted by who asks. */
  one(report: R): Promise<R>
  load(report: R): Promise<Blob>
  fileName(report: R, choice: ReportChoice): string
  failure(failure: NonNullable<R['failure']>): string
  /** The list of such reports on the screen: asked for anew when one is added or done. */
  list: Call
  /** The report in words, for the question whom to mail it, and for that of its contents. */
  title: string
  downloadTitle: string
}
