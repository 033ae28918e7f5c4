import { createHash } from 'node:crypto'
import type { BackTestQuestion } from '@isotherm/contract/back-test.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'

/** Where a back-test that was not done goes on: the end of its window (ms) and the last device that is done. */
export interface Place {
  to: number
  after: number
}

const hourMs = 3_600_000

/** A cursor holds for its own question and an hour; whoever makes one up sees nothing but what they may see anyway. */
export const cursorOf = (question: BackTestQuestion, { to, after }: Place): string =>
  `${to}.${after}.${markOf(question)}`

/** Where a question goes on. Throws VALIDATION for a cursor of another question, or an old one. */
export function placeOf(question: BackTestQuestion, now: number): Place {
  if (question.cursor === undefined) return { to: now, after: 0 }
  const [, to = '', after = '', mark] = /^(\d{1,15})\.(\d{1,10})\.([\w-]+)$/.exec(question.cursor) ?? []
  if (mark !== markOf(question) || Number(to) > now || Number(to) < now - hourMs)
    throw invalidField('cursor', 'invalid')
  return { to: Number(to), after: Number(after) }
}

const markOf = ({ cursor: _, ...question }: BackTestQuestion) =>
  createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 16)

const running = new Map<string, AbortController>()
/** The end of the last back-test that somebody of a company asked for. */
const ends = new Map<number, Promise<void>>()

/**
 * One back-test at a time for a company, in the order in which they were asked for: each keeps a processor of the database busy for a second and more. Of
 * one person the newest only (they changed the rule): it ends the one before, which throws TOO_MANY_REQUESTS.
 */
export async function onlyOne<T>(
  { companyId, person }: Pick<Context, 'companyId' | 'person'>,
  work: (goesOn: () => void) => Promise<T>,
): Promise<T> {
  const key = `${companyId}/${person.id}`
  running.get(key)?.abort()
  const own = new AbortController()
  running.set(key, own)
  const goesOn = () => {
    if (own.signal.aborted) throw new AppError('TOO_MANY_REQUESTS', { seconds: 1 }, 1)
  }
  try {
    return await inTurn(companyId, () => {
      goesOn()
      return work(goesOn)
    })
  } finally {
    if (running.get(key) === own) running.delete(key)
  }
}

async function inTurn<T>(companyId: number, work: () => Promise<T>): Promise<T> {
  const before = ends.get(companyId)
  const { promise: end, resolve } = Promise.withResolvers<void>()
  ends.set(companyId, end)
  try {
    await before
    return await work()
  } finally {
    resolve()
    if (ends.get(companyId) === end) ends.delete(companyId)
  }
}
