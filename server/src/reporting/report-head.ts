import type { Locale, Period } from '@isotherm/contract/common.ts'
import type { ReportContents } from '@isotherm/contract/device-reports.ts'
import { findCompany } from '../core/company/company.ts'
import type { Context } from '../platform/context.ts'
import type { IssuedRow } from './issued-report.ts'
import { presentPeriod } from './present.ts'

/** The facts that every report has, whatever it is about. Plain data: it goes to another process. */
export interface ReportHead {
  companyId: number
  company: string
  locale: Locale
  zone: string
  period: Period
  issuedAt: number
  issuedBy: string
  contents: ReportContents[]
  /** PNG; set for the process that writes. It is no data: no hash of the data knows it. */
  logo?: Uint8Array | null
}

/** The facts by which anybody can verify a report that has a public page. */
export interface Proof {
  key: string
  verifyUrl: string
}

export const headOf = async (ctx: Context, row: IssuedRow): Promise<ReportHead> => ({
  companyId: ctx.companyId,
  company: (await findCompany(ctx.tx, ctx.companyId)).name,
  locale: row.locale as Locale,
  zone: row.timezone,
  period: presentPeriod(row),
  issuedAt: ctx.clock.now().getTime(),
  issuedBy: row.requested_by_name,
  contents: row.contents as ReportContents[],
})

export const proofOf = (ctx: Context, key: string): Proof => ({
  key,
  verifyUrl: `${ctx.services.config.publicUrl}/verify-report/${key}`,
})
