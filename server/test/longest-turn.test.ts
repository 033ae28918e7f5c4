import { readFile } from 'node:fs/promises'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { longestTurn } from './longest-turn.ts'

const usedMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000
/** Keeps the thread busy for so long, ms. */
const compute = (ms: number) => {
  const start = process.threadCpuUsage()
  while (usedMs(process.threadCpuUsage(start)) < ms);
}

test.each([
  ['at once', async () => compute(120)],
  ['after a wait', () => sleep(20).then(() => compute(120))],
  ['after a file was read', () => readFile(import.meta.filename).then(() => compute(120))],
  ['in a turn of its own', () => nextTurn().then(() => compute(120))],
  ['beside what is waited for', () => Promise.all([sleep(10).then(() => compute(120)), sleep(300)])],
])('what keeps the thread %s is noticed', async (_, work) => {
  expect(await longestTurn(work)).toBeGreaterThanOrEqual(119)
})

test('what gives way is told apart from what does not', async () => {
  const most = await longestTurn(async () => {
    for (let i = 0; i < 20; i++) {
      compute(10)
      await nextTurn()
    }
  })
  expect(most).toBeGreaterThanOrEqual(10)
  expect(most).toBeLessThan(60)
})

test('a wait costs no processor time', async () => {
  const start = process.threadCpuUsage()
  await longestTurn(() => sleep(400))
  expect(usedMs(process.threadCpuUsage(start))).toBeLessThan(100)
})
