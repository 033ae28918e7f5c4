import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'

test('a process without a file handle left goes on measuring how late its event loop is', async () => {
  const module = JSON.stringify(new URL('loop-delay.ts', import.meta.url).href)
  const code = `const { LoopDelay } = await import(${module})
    const { openSync } = await import('node:fs')
    try { for (;;) openSync('/dev/null') } catch (error) { process._rawDebug(error.code) }
    const delay = new LoopDelay()
    const until = performance.now() + 700
    while (performance.now() < until);
    const look = () => delay.ms > 0 ? process._rawDebug('late') : setTimeout(look, 20)
    look()`
  const child = spawn(
    'sh',
    ['-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', code],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const [status] = await once(child, 'close')
  expect([status, said]).toEqual([0, 'EMFILE\nlate\n'])
})
