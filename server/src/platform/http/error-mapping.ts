import { replayedHeader } from '@isotherm/contract/call.ts'
import type { Locale } from '@isotherm/contract/common.ts'
import { type ErrorCode, errorStatus } from '@isotherm/contract/errors.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isStalePlan } from '../db/stale-plans.ts'
import { AppError, InvalidInput, PlanLimitReached, QuotaExceeded } from '../errors/app-error.ts'
import { aboutField } from '../i18n/field-names.ts'
import { localeFrom, translate } from '../i18n/i18n.ts'

// Refusals of fastify itself, in our codes.
const fastifyCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'MALFORMED_BODY',
  FST_ERR_CTP_INVALID_JSON_BODY: 'MALFORMED_BODY',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MALFORMED_BODY',
  FST_ERR_BAD_URL: 'ROUTE_NOT_FOUND',
  FST_ERR_MAX_PARAM_LENGTH: 'ROUTE_NOT_FOUND',
}
// PostgreSQL could not serialize, met a deadlock, restarts or is away, or there is no disk, memory, connection or file handle left: nothing was
// written, so the caller may try again.
const transient = new Set([
  ...['40001', '40P01', '57P01', '57P02', '57P03', '08006', '08001', '53100', '53200', '53300'],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE'],
])
// Errors of the pool, and of a client whose connection was lost between two statements, carry no code.
const lostConnection =
  /^(timeout exceeded when trying to connect|Connection terminated|Client (has encountered a connection error|was closed) and is not queryable|Cannot use a pool after calling end)/
// A statement took longer than a person's call may let it.
const tooLong = '57014'
// Another call held a lock for too long.
const lockNotHad = '55P03'
// Somebody has to make room on the disk or in memory, or allow more files: the log says so at the level of a fault.
const isOutOfRoom = (error: unknown) =>
  /^(53[12]00|ENOSPC|EDQUOT|E[MN]FILE)$/.test((error as { code?: string } | null)?.code ?? '')
// A number no column holds: an id beyond int4. Every other number is bounded by its row in the contract.
const outOfRange = '22003'

function known(error: unknown): AppError {
  if (error instanceof AppError) return error
  const { code, statusCode, message } = error as { code?: string; statusCode?: number; message?: string }
  if (code && fastifyCodes[code]) return new AppError(fastifyCodes[code])
  if (code === outOfRange) return new AppError('NOT_FOUND')
  if ((code && transient.has(code)) || lostConnection.test(message ?? '')) return new AppError('OVERLOADED', {}, 2)
  if (isStalePlan(error)) return new AppError('OVERLOADED', {}, 1)
  if (code === lockNotHad) return new AppError('BUSY', {}, 1)
  if (code === tooLong) return new AppError('OVERLOADED', {}, 30)
  if (statusCode === 503) return new AppError('OVERLOADED', {}, 2)
  if (statusCode && statusCode >= 400 && statusCode < 500) return new AppError('MALFORMED_BODY')
  return new AppError('INTERNAL')
}

function sentenceOf(error: AppError): string {
  if (error instanceof QuotaExceeded) return `quotas.${error.quota}`
  if (error instanceof PlanLimitReached) return `limits.${error.measure}`
  return `codes.${error.code}`
}

/** The answer's body for an error, in the caller's language. */
export function errorBody(error: AppError, locale: Locale, requestId: string) {
  const message = translate(locale, `errors:${sentenceOf(error)}`, { ...error.values, requestId })
  if (error instanceof PlanLimitReached) return { success: false as const, code: error.code, message, ...error.figures }
  if (!(error instanceof InvalidInput)) return { success: false as const, code: error.code, message }
  // A field's name is the caller's choice, 'toString' included.
  const fields: Record<string, string[]> = Object.create(null)
  const messages = error.problems.map(({ path, message: { key, values } }) => {
    const text = translate(locale, `errors:${key}`, values)
    const field = fields[path] ?? []
    fields[path] = [...field, text]
    if (!path) return text
    // A field that no call has is told by what the caller called it.
    return key === 'fields.unknown' ? `${path}: ${text}` : aboutField(path, text, locale)
  })
  return { success: false as const, code: error.code, message, messages, fields }
}

/** The language to answer in: that of the person and their screen, else what the browser asks for. */
export const localeOf = (request: FastifyRequest): Locale =>
  request.locale ?? localeFrom(request.headers['accept-language'])

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const failure = known(error)
  if (failure.code === 'INTERNAL' || isOutOfRoom(error)) request.log.error({ err: error }, 'request failed')
  else if (failure !== error) request.log.info({ err: error }, 'request refused')
  if (request.apiKey) request.apiKey.refusedBy = failure.code
  if (request.isReplayed) reply.header(replayedHeader, 'true')
  if (failure.retryAfterS) reply.header('retry-after', failure.retryAfterS)
  return reply.status(errorStatus[failure.code]).send(errorBody(failure, localeOf(request), request.id))
}

/** One place that turns every failure into an answer. */
export function mapErrors(app: FastifyInstance) {
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
}
