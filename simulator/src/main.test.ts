import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { fleet } from './fleet.ts'

test('a fleet that is interrupted while it loads history ends without a fault', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'isotherm-fleet-'))
  const silent = createServer().listen(0, '127.0.0.1')
  onTestFinished(async () => {
    silent.closeAllConnections()
    silent.close()
    await rm(dir, { recursive: true, force: true })
  })
  await once(silent, 'listening')
  const secrets = join(dir, 'secrets.json')
  await writeFile(secrets, JSON.stringify({ [fleet('demo')[0]?.imei ?? '']: 'a secret' }))
  const main = fileURLToPath(new URL('main.ts', import.meta.url))
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const child = spawn(process.execPath, [main, '--secrets', secrets, '--days', '1', '--url', url, '--live'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  await once(silent, 'request')
  child.kill('SIGTERM')
  const [code] = await once(child, 'close')
  expect([code, said]).toEqual([0, ''])
})
