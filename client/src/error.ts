/** The server refused a call, or failed. `code` is stable; `message` is a sentence for people. */
export class IsothermError extends Error {
  /** The HTTP status. */
  readonly status: number
  readonly code: string
  /** Every failure of a 422 as a sentence, and by field. */
  readonly messages: readonly string[]
  readonly fields: Readonly<Record<string, readonly string[]>>
  /** Seconds to wait before another try, where the server says so. */
  readonly retryAfterS: number | null

  constructor(status: number, answer: Answer, retryAfterS: number | null) {
    super(answer.message ?? `HTTP ${status}`)
    this.name = 'IsothermError'
    this.status = status
    this.code = answer.code ?? 'INTERNAL'
    this.messages = answer.messages ?? []
    this.fields = answer.fields ?? {}
    this.retryAfterS = retryAfterS
  }
}

interface Answer {
  code?: string
  message?: string
  messages?: string[]
  fields?: Record<string, string[]>
}

/** The error of an answer that is not 2xx. */
export async function errorOf(response: Response): Promise<IsothermError> {
  const seconds = Number(response.headers.get('retry-after'))
  const retryAfterS = Number.isFinite(seconds) && seconds > 0 ? seconds : null
  const answer: unknown = await response.json().catch(() => null)
  return new IsothermError(response.status, typeof answer === 'object' && answer !== null ? answer : {}, retryAfterS)
}
