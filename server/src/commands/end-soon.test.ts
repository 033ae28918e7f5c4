import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const script = `
  const { endSoon } = await import(${JSON.stringify(new URL('./end-soon.ts', import.meta.url).href)})
  if (process.argv.includes('left-open')) (await import('node:net')).createServer().listen(0, '127.0.0.1')
  process.exitCode = 1
  endSoon(100)`

test.each([
  ['left-open', /^Left open at the end: .*TCPServerWrap/],
  ['nothing', /^$/],
])('a process with %s ends with the code that was set', async (what, said) => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, '--', what])
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect(output).toMatch(said)
  expect(code).toBe(1)
})
