import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { lowerPriority } from './priority.ts'

beforeEach(() => {
  vi.stubEnv('LONG_WORK_RESTS', '1')
})
afterEach(() => {
  vi.unstubAllEnvs()
})

const groupOf = (pid: number) => Number(/nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'utf8'))?.[1])

function child(detached: boolean): number {
  const started = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'], { detached, stdio: 'ignore' })
  onTestFinished(() => void started.kill())
  if (started.pid === undefined) throw new Error('the process did not start')
  return started.pid
}

test('a process gets the priority, and its scheduling group where it leads its session', async () => {
  const pid = child(true)
  lowerPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  expect(getPriority(pid)).toBe(constants.priority.PRIORITY_BELOW_NORMAL)
  if (existsSync('/proc/self/autogroup'))
    await expect.poll(() => groupOf(pid)).toBe(constants.priority.PRIORITY_BELOW_NORMAL)
})

test('the group of a process that does not lead its session stays as it is: others are in it', () => {
  const before = existsSync('/proc/self/autogroup') ? groupOf(process.pid) : null
  const pid = child(false)
  lowerPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  expect(getPriority(pid)).toBe(constants.priority.PRIORITY_BELOW_NORMAL)
  if (before !== null) expect(groupOf(process.pid)).toBe(before)
})

test.runIf(existsSync('/proc/self/task'))('every thread of a process that runs already gets the priority', async () => {
  const pid = child(false)
  const threads = () => readdirSync(`/proc/${pid}/task`).map(Number)
  await expect.poll(() => threads().length).toBeGreaterThan(2)
  lowerPriority(pid, constants.priority.PRIORITY_LOW)
  expect(new Set(threads().map((thread) => getPriority(thread)))).toEqual(new Set([constants.priority.PRIORITY_LOW]))
})

test('where long work does not rest a process keeps its priority', () => {
  vi.stubEnv('LONG_WORK_RESTS', '0')
  const pid = child(true)
  const before = getPriority(pid)
  lowerPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  expect(getPriority(pid)).toBe(before)
})

test('a process that has ended is no error', () => {
  expect(() => lowerPriority(2 ** 22 + 1, constants.priority.PRIORITY_BELOW_NORMAL)).not.toThrow()
})
