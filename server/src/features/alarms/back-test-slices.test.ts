import { expect, test } from 'vitest'
import type { Context } from '../../platform/context.ts'
import { onlyOne } from './back-test-slices.ts'

const of = (companyId: number, id: string) => ({ companyId, person: { id } }) as Pick<Context, 'companyId' | 'person'>
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** A back-test that notes when it begins and goes on until `end`. */
function held(begun: string[], name: string) {
  const { promise, resolve: end } = Promise.withResolvers<void>()
  const work = async (goesOn: () => void) => {
    begun.push(name)
    await promise
    goesOn()
    return name
  }
  return { work, end }
}

test('the back-tests of a company run one after the other, and another company’s beside them', async () => {
  const begun: string[] = []
  const [ada, ben, other] = [held(begun, 'ada'), held(begun, 'ben'), held(begun, 'other')]
  const answers = [onlyOne(of(1, 'a'), ada.work), onlyOne(of(1, 'b'), ben.work), onlyOne(of(2, 'c'), other.work)]
  await settle()
  expect(begun).toEqual(['ada', 'other'])
  ada.end()
  await settle()
  expect(begun).toEqual(['ada', 'other', 'ben'])
  ben.end()
  other.end()
  expect(await Promise.all(answers)).toEqual(['ada', 'ben', 'other'])
})

test('a newer one of the same person ends the one that runs and the one that waits, and comes next', async () => {
  const begun: string[] = []
  const [first, second, third] = [held(begun, 'first'), held(begun, 'second'), held(begun, 'third')]
  const running = onlyOne(of(1, 'a'), first.work)
  running.catch(() => {})
  await settle()
  const answers = [running, ...[second, third].map(({ work }) => onlyOne(of(1, 'a'), work))]
  const outcomes = Promise.allSettled(answers)
  await settle()
  first.end()
  third.end()
  const codes = (await outcomes).map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value : outcome.reason.code,
  )
  expect(codes).toEqual(['TOO_MANY_REQUESTS', 'TOO_MANY_REQUESTS', 'third'])
  expect(begun).toEqual(['first', 'third'])
})

test('one that fails lets the next one begin', async () => {
  const failing = onlyOne(of(1, 'a'), () => Promise.reject(new Error('as it should')))
  const next = onlyOne(of(1, 'b'), async () => 'next')
  await expect(failing).rejects.toThrow('as it should')
  expect(await next).toBe('next')
})
