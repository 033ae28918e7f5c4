import {
  apiBase,
  begunAtHeader,
  type Call,
  idempotencyKeyHeader,
  isFile,
  type Params,
  type Returned,
} from '@isotherm/contract/call.ts'
import type { z } from 'zod'
import { CallError, type CallErrorCode } from './call-error.ts'
import { can } from './can.ts'
import { applyErrorRules } from './error-rules.ts'
import { i18n } from './i18n.ts'
import { askForProof, proofWanted } from './proof.ts'
import { getSession, onLoggedOut } from './session.ts'

// A session that ends here ends on the server, too. Nothing waits for it: `keepalive` lets it outlive the page.
onLoggedOut(({ token }) => {
  if (!token) return
  const headers = { authorization: `Bearer ${token}` }
  void fetch(`${apiBase}/auth/logout`, { method: 'POST', headers, keepalive: true }).catch(() => undefined)
})

const outdatedHearers = new Set<() => void>()
/** Hears that a change was refused because somebody else had changed the thing: the screen shows it as it was. */
export const onOutdated = (hear: () => void) => outdatedHearers.add(hear)

type IfAny<T, Key extends string> = Record<never, never> extends T ? { [K in Key]?: T } : { [K in Key]: T }
/** The input of a call: path parameters, query and body, each only where the row has it. */
export type Sending<C extends Call> = IfAny<Params<C['path']>, 'params'> &
  IfAny<z.input<C['query']>, 'query'> &
  IfAny<z.input<C['body']>, 'body'>
export interface CallOptions {
  signal?: AbortSignal
  /** Sent again, the same call with this key is done once (rows that take one). */
  key?: string
  /** Toasts every failure, not only 400, 403 and 422. */
  toastAll?: boolean
  /** Toasts no 400 and no 422: it was asked while somebody types, and the screen shows what is wrong. */
  isQuiet?: boolean
  /** A failure of this code is told by the caller. */
  toldByCaller?: CallErrorCode
  /** Hears when the server began to answer, ms since 1970 of its clock. */
  onBegun?: (at: number) => void
  /** Hears the share of a form that has been sent, from 0 to 1. */
  onProgress?: (share: number) => void
  /** Gives up where the line is silent for so long: for what may be sent twice, since it may have been done. */
  patienceMs?: number
}

/** The silence after which a line is dead to somebody who waits for an answer; the browser itself would wait for minutes. */
export const deadLineMs = 30_000
type Rest<C extends Call> =
  Record<never, never> extends Sending<C>
    ? [sending?: Sending<C>, options?: CallOptions]
    : [sending: Sending<C>, options?: CallOptions]

interface Parts {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

/** Path and query of a call below the API's base. */
export function urlOf(row: Call, { params = {}, query = {} }: Parts): string {
  const path = row.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  return `${apiBase}${path}${search.size > 0 ? `?${search}` : ''}`
}

/**
 * Makes the call of a contract row and resolves to its payload (a Blob where the row returns a file). Never sends what
 * `can()` refuses. Rejects with CallError, after the error rules have been applied.
 */
export const call = <C extends Call>(row: C, ...[sending, options]: Rest<C>): Promise<Returned<C>> =>
  callWith(row, sending, options)

/** `call` for rows known only by type, whose parts may be undefined. */
export async function callWith<C extends Call>(
  row: C,
  sending: Sending<C> | undefined,
  options: CallOptions = {},
): Promise<Returned<C>> {
  if (!can(row.needs)) throw new CallError(0, 'NOT_ALLOWED', i18n.t('common:errors.notAllowed'))
  const parts = (sending ?? {}) as Parts
  const token = getSession().token
  try {
    return (await provenAnswerOf(row, parts, token, options)) as Returned<C>
  } catch (error) {
    // A late answer to a session that is over must not end the next one.
    const current = getSession().token === token
    if (error instanceof CallError && error.code === 'CHANGED_MEANWHILE' && current)
      for (const hear of outdatedHearers) hear()
    if (error instanceof CallError && current && error.code !== options.toldByCaller)
      applyErrorRules(error, {
        toastAll: options.toastAll ?? false,
        sentToken: row.needs !== 'public',
        isQuiet: options.isQuiet ?? false,
      })
    throw error
  }
}

/** Sends it, and once more where the server first wants a proof of who calls and the person gives one. */
async function provenAnswerOf(row: Call, parts: Parts, token: string | null, options: CallOptions): Promise<unknown> {
  try {
    return await answerOf(row, parts, token, options)
  } catch (error) {
    const by = error instanceof CallError && getSession().token === token ? proofWanted(error.code) : null
    if (!by || !(await askForProof(by))) throw error
    return answerOf(row, parts, token, options)
  }
}

const patience = 3

/** Sends it, and again where the server was too busy to begin: nobody should have to press a button twice for that. */
async function answerOf(row: Call, parts: Parts, token: string | null, options: CallOptions): Promise<unknown> {
  const { signal, onBegun, patienceMs } = options
  for (let tries = 1; ; tries++) {
    const line = watchLine(signal, patienceMs)
    try {
      const response = await send(row, parts, token, { ...options, signal: line.signal })
      line.hear()
      onBegun?.(Number(response.headers.get(begunAtHeader)))
      return await payloadOf(row, response)
    } catch (error) {
      if (signal?.aborted) throw error
      // Whatever else fails is the line, also in the middle of an answer.
      if (!(error instanceof CallError)) throw new CallError(0, 'NETWORK', i18n.t('common:errors.network'))
      if (error.code !== 'BUSY' || tries === patience) throw error
      await new Promise((resolve) => setTimeout(resolve, (error.retryAfterS ?? 1) * 1000))
      signal?.throwIfAborted()
    } finally {
      line.leave()
    }
  }
}

/** A signal that ends with the caller's, or once nothing was heard for `patienceMs`. */
function watchLine(signal: AbortSignal | undefined, patienceMs: number | undefined) {
  if (patienceMs === undefined) return { signal, hear: () => undefined, leave: () => undefined }
  const silence = new AbortController()
  const wait = () => setTimeout(() => silence.abort(), patienceMs)
  let timer = wait()
  const leave = () => clearTimeout(timer)
  const hear = () => {
    leave()
    timer = wait()
  }
  return { signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal, hear, leave }
}

async function send(row: Call, parts: Parts, token: string | null, { signal, key, onProgress }: CallOptions) {
  const isForm = row.bodyKind === 'form'
  const hasBody = row.method !== 'GET' && parts.body !== undefined
  const headers = {
    accept: 'application/json',
    'accept-language': i18n.language,
    ...(hasBody && !isForm ? { 'content-type': 'application/json' } : {}),
    ...(key ? { [idempotencyKeyHeader]: key } : {}),
    ...(token && row.needs !== 'public' ? { authorization: `Bearer ${token}` } : {}),
  }
  const asked = { method: row.method, headers, signal }
  if (isForm) {
    const { sendForm } = await import('./send-form.ts')
    return sendForm(urlOf(row, parts), asked, parts.body as Record<string, string | Blob>, onProgress)
  }
  return fetch(urlOf(row, parts), { ...asked, body: hasBody ? JSON.stringify(parts.body) : undefined })
}

interface Answer {
  success?: boolean
  payload?: unknown
  code?: CallError['code']
  message?: string
  messages?: string[]
  fields?: Record<string, string[]>
}

async function payloadOf(row: Call, response: Response): Promise<unknown> {
  if (response.ok && isFile(row.returns)) return response.blob()
  const answer = (await response.json().catch(notJson)) as Answer | null
  if (response.ok && answer?.success) return answer.payload
  const retryAfter = Number(response.headers.get('retry-after'))
  throw new CallError(
    response.status,
    answer?.code ?? 'UNREADABLE',
    answer?.message ?? i18n.t('common:errors.unreadable'),
    { messages: answer?.messages, fields: answer?.fields, retryAfterS: retryAfter > 0 ? retryAfter : null },
  )
}

/** An answer that came whole and is no JSON is somebody else's; one that was cut off is a failure of the line. */
function notJson(error: unknown): null {
  if (error instanceof SyntaxError) return null
  throw error
}
