import type { ErrorCode, Message } from '@isotherm/contract/errors.ts'
import type { PlanMeasure } from '@isotherm/contract/subscription.ts'
import type { QuotaName } from '../config/quotas.ts'

/** A failure that the caller is told about: `code` decides the HTTP status and the text. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly values: Record<string, string | number>
  readonly retryAfterS: number | undefined
  constructor(code: ErrorCode, values: Record<string, string | number> = {}, retryAfterS?: number) {
    super(code)
    this.code = code
    this.values = values
    this.retryAfterS = retryAfterS
  }
}

/** The row that was looked for; throws NOT_FOUND where there is none that the caller may see. */
export function orNotFound<T>(row: T | undefined): T {
  if (row === undefined) throw new AppError('NOT_FOUND')
  return row
}

/** A 400: the company has as much of something as it may have; `most` is in the quota's unit. */
export class QuotaExceeded extends AppError {
  readonly quota: QuotaName
  constructor(quota: QuotaName, most: number) {
    super('QUOTA_EXCEEDED', { limit: most })
    this.quota = quota
  }
}

/** A 400: the company would have more of something than its licences allow; `used` is what it has. */
export class PlanLimitReached extends AppError {
  readonly measure: PlanMeasure
  readonly figures: { limit: number; used: number }
  constructor(measure: PlanMeasure, figures: { limit: number; used: number }) {
    super('LIMIT_REACHED', figures)
    this.measure = measure
    this.figures = figures
  }
}

/** A 422: every broken field with its message. */
export class InvalidInput extends AppError {
  readonly problems: { path: string; message: Message }[]
  constructor(problems: { path: string; message: Message }[]) {
    super('VALIDATION')
    this.problems = problems
  }
}

/** A 422 about one field that only the server can judge; `key` is below `errors:fields`. */
export const invalidField = (path: string, key: string, values: Message['values'] = {}) =>
  new InvalidInput([{ path, message: { key: `fields.${key}`, values } }])
