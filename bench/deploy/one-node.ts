import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ended } from '../pipeline/stage.ts'
import type { Image } from './dockerfile.ts'
import { ownFolder } from './dockerfile.ts'
import { launch, run } from './programs.ts'

/** Starts the image's server with an embedded PostgreSQL, asks its health as Docker would, and stops it. */
export async function tryImage(image: Image, work: string, port: number): Promise<string> {
  const data = join(work, 'data')
  await ownFolder(data)
  const env = {
    ...{ DATA_DIR: data, HOST: '127.0.0.1', PORT: String(port), MQTT_PORT: String(port + 1), METRICS_PORT: 'off' },
    HOME: data,
  }
  const log = join(work, 'image.log')
  const server = launch(
    join(image.folder, image.entrypoint[0] ?? ''),
    [...image.entrypoint.slice(1), ...image.command],
    { cwd: image.folder, env },
    openSync(log, 'w'),
  )
  try {
    const began = Date.now()
    for (;;) {
      if (server.exitCode !== null) throw new Error(`the server ended: ${readFileSync(log, 'utf8').slice(-800)}`)
      if (Date.now() - began > 120_000) throw new Error(`it is not healthy: ${readFileSync(log, 'utf8').slice(-800)}`)
      try {
        run(image.health[0] ?? '', image.health.slice(1), { cwd: image.folder, env })
        break
      } catch {
        await sleep(500)
      }
    }
    const page = await fetch(`http://127.0.0.1:${port}/`)
    const ready = await fetch(`http://127.0.0.1:${port}/ready`)
    if (!page.ok || !(await page.text()).includes('<script') || !ready.ok)
      throw new Error(`the page answers ${page.status}, /ready ${ready.status}`)
    await ended(server, 'SIGTERM')
    if (server.exitCode !== 0) throw new Error(`after SIGTERM it ended with ${server.exitCode ?? server.signalCode}`)
    return 'healthy by its HEALTHCHECK, with an embedded PostgreSQL, page and /ready answer, ends with 0 at SIGTERM; as no root'
  } finally {
    await ended(server, 'SIGKILL')
  }
}
