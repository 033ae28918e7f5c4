import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { write } from 'node:fs'
import { openSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { LogOutput } from './log-output.ts'

test('a process whose log cannot be written goes on, and ends when it is done', async () => {
  const log = JSON.stringify(new URL('log.ts', import.meta.url).href)
  const code = `const { createLog } = await import(${log})
    const log = createLog('info')
    log.info('first')
    setTimeout(() => { log.warn('last'); console.error('went on') }, 100)`
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', full, 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said += chunk
  })
  const [status] = await once(child, 'close')
  expect([status, said]).toEqual([0, 'went on\n'])
})

test('lines that could not be written are written once there is room, in their order and as far as they fit in memory', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let isFull = true
  let written = ''
  const disk = (_: number, text: Buffer, done: (error: Error | null, bytes: number) => void) => {
    if (isFull) return done(Object.assign(new Error('full'), { code: 'ENOSPC' }), 0)
    // A disk may take a part of it.
    const part = text.subarray(0, Math.ceil(text.length / 2))
    written += part
    done(null, part.length)
  }
  const output = new LogOutput(1, disk as unknown as typeof write)
  output.write('one\n')
  output.write('two\n')
  for (let lines = 0; lines < 2_000; lines++) output.write(`${'x'.repeat(999)}\n`)
  isFull = false
  await vi.advanceTimersByTimeAsync(1_000)
  expect(written.startsWith('one\ntwo\nxxx')).toBe(true)
  expect(written.length).toBeLessThan(1_100_000)
  output.write('three\n')
  expect(written.endsWith('x\nthree\n')).toBe(true)
})

test('a reader that is gone gets nothing more', () => {
  const gone = vi.fn((_: number, _text: Buffer, done: (error: Error) => void) =>
    done(Object.assign(new Error('gone'), { code: 'EPIPE' })),
  )
  const output = new LogOutput(1, gone as unknown as typeof write)
  output.write('one\n')
  output.write('two\n')
  expect(gone).toHaveBeenCalledTimes(1)
})
