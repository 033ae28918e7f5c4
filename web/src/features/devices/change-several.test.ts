import { expect, test } from 'vitest'
import { CallError } from '../../lib/call-error.ts'
import { changeSeveral } from './change-several.ts'

const ids = Array.from({ length: 30 }, (_, n) => String(n + 1))
const soon = () => new Promise((resolve) => setImmediate(resolve))

test('each is changed once, never more than four at a time, and progress counts all of them', async () => {
  const sent: string[] = []
  const progress: number[] = []
  let now = 0
  let most = 0
  const outcome = await changeSeveral(
    ids,
    async (id) => {
      sent.push(id)
      most = Math.max(most, ++now)
      await soon()
      now--
    },
    (count) => progress.push(count),
  )
  expect(sent).toEqual(ids)
  expect(most).toBe(4)
  expect(outcome.changed.toSorted()).toEqual(ids.toSorted())
  expect(progress.at(-1)).toBe(30)
})

test('one that is refused is named with its error; the others are changed', async () => {
  const gone = new CallError(404, 'NOT_FOUND', 'It is not there.')
  const change = async (id: string) => {
    if (id === '7') throw gone
  }
  const outcome = await changeSeveral(ids, change, () => undefined)
  expect(outcome.failed).toEqual([{ id: '7', error: gone }])
  expect(outcome.changed).toHaveLength(29)
  expect(outcome.loggedOut).toBe(false)
})

test('nothing more is sent once the session has ended', async () => {
  const sent: string[] = []
  const change = async (id: string) => {
    sent.push(id)
    await soon()
    throw new CallError(403, 'FORBIDDEN', 'You may not do this.')
  }
  const outcome = await changeSeveral(ids, change, () => undefined)
  expect(sent).toEqual(['1', '2', '3', '4'])
  expect(outcome.loggedOut).toBe(true)
})
