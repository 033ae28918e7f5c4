import type { World } from './world.ts'

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

/** One requirement of OWASP ASVS 5.0.0 (levels 1 and 2), tried by real requests. */
export interface Check {
  /** The number of the requirement. */
  id: string
  /** The claim, in words. */
  says: string
  /** Resolves with what is wrong, or null. */
  fault(world: World): Promise<string | null>
  spoiled: Spoiled
}

/** Every answer has this status instead. */
export const allAnswer = (status: number): Spoiled => ({ answer: () => ({ status }) })

/** Every answer lacks these headers. */
export const without = (...names: string[]): Spoiled => ({
  answer: ({ headers }) => ({
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))),
  }),
})

/** Every answer has this header besides. */
export const withHeader = (name: string, value: string): Spoiled => ({
  answer: ({ headers }) => ({ headers: { ...headers, [name]: value } }),
})

/** Every answer says this. */
export const allSay = (text: string, status?: number): Spoiled => ({
  answer: () => (status === undefined ? { text } : { text, status }),
})

/** The first fault of several looks, in order. */
export async function firstOf(...looks: (() => Promise<string | null>)[]): Promise<string | null> {
  for (const look of looks) {
    const fault = await look()
    if (fault) return fault
  }
  return null
}

/** A fault unless the status is one of these. */
export const expectStatus = (answer: Answer, ...wanted: number[]): string | null =>
  wanted.includes(answer.status)
    ? null
    : `answered ${answer.status} instead of ${wanted.join(' or ')}: ${answer.text.slice(0, 200)}`
