import type { ErrorCode } from '@isotherm/contract/errors.ts'

/** Our own codes: NETWORK the server could not be reached, NOT_ALLOWED the call was never sent, UNREADABLE not our answer. */
export type CallErrorCode = ErrorCode | 'NETWORK' | 'NOT_ALLOWED' | 'UNREADABLE'

/** A call that failed; `status` is 0 when there was no answer. `fields` maps a field's path to sentences about it. */
export class CallError extends Error {
  readonly status: number
  readonly code: CallErrorCode
  readonly messages: string[]
  readonly fields: Record<string, string[]>
  readonly retryAfterS: number | null
  constructor(
    status: number,
    code: CallErrorCode,
    message: string,
    more: { messages?: string[]; fields?: Record<string, string[]>; retryAfterS?: number | null } = {},
  ) {
    super(message)
    this.name = 'CallError'
    this.status = status
    this.code = code
    this.messages = more.messages ?? []
    this.fields = more.fields ?? {}
    this.retryAfterS = more.retryAfterS ?? null
  }
}

export const isCallError = (error: unknown): error is CallError => error instanceof CallError

/** Whether it failed for a reason that may be over soon: the line, somebody else's answer (of a proxy, of a network that wants a login first), or a fault of the server. */
export const mayPass = (error: unknown): boolean =>
  !isCallError(error) || error.code === 'NETWORK' || error.code === 'UNREADABLE' || error.status >= 500
