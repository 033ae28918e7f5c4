import type { Answer, ProbeRequest, Spoiled } from './probe.ts'
import type { World } from './world.ts'

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

/** A check that a request is refused, by one of these statuses. */
export const refused = (
  id: string,
  says: string,
  statuses: number | number[],
  asked: (world: World) => ProbeRequest,
): Check => ({
  id,
  says,
  fault: async (world) => expectStatus(await world.ask(asked(world)), ...[statuses].flat()),
  spoiled: allAnswer(200),
})
