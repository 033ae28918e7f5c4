/** A request of a check, as a client would send it. */
export interface ProbeRequest {
  method: string
  /** Below /app/api/v1, or from the root where it starts with `//`. */
  path: string
  token?: string | undefined
  /** An object goes as JSON, a form, a text or bytes as they are. */
  body?: unknown
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  text: string
}

/** A spoiled view of the instance: with it the check must find something, which shows that the check can fail. */
export interface Spoiled {
  answer?(answer: Answer, asked: ProbeRequest): Partial<Answer>
  /** The result of a look at a file, the log or the database instead. */
  seen?: unknown
}
