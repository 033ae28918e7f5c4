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

/** One back-test at a time for a person: a newer one (they changed the rule) ends the one that runs, which throws TOO_MANY_REQUESTS. */
export async function onlyOne<T>(ctx: Context, work: (goesOn: () => void) => Promise<T>): Promise<T> {
  const key = `${ctx.companyId}/${ctx.person.id}`
  running.get(key)?.abort()
  const own = new AbortController()
  running.set(key, own)
  try {
    return await work(() => {
      if (own.signal.aborted) throw new AppError('TOO_MANY_REQUESTS', { seconds: 1 }, 1)
    })
  } finally {
    if (running.get(key) === own) running.delete(key)
  }
}
