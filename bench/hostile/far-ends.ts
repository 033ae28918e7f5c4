import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer, get, type Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { textOf } from '../../server/test/text-of.ts'
import type { Reader } from './canaries.ts'

/** Something the server sent by itself. `at`: when, milliseconds since 1970. */
export interface Sent {
  kind: 'mail' | 'sms' | 'webhook' | 'stream'
  to: string
  text: string
  at: number
}
type Hear = (sent: Sent) => void

/** Takes webhooks, and answers every one of them. */
export function takeWebhooks(port: number, hear: Hear): Promise<Server> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part) => parts.push(part))
    request.on('error', () => {})
    request.on('end', () => {
      const text = JSON.stringify(request.headers) + Buffer.concat(parts).toString()
      hear({ kind: 'webhook', to: request.url ?? '', text, at: Date.now() })
      response.writeHead(204).end()
    })
  })
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)))
}

/** Reads the outbox until it is stopped; what was read is removed. Returns what reads the rest and ends it. */
export function readOutbox(folder: string, hear: Hear): () => Promise<void> {
  let isStopping = false
  const look = async () => {
    const names = await readdir(folder).catch(() => [])
    for (const name of names) {
      const path = join(folder, name)
      const { mtimeMs } = await stat(path)
      // Written whole by now.
      if (!isStopping && Date.now() - mtimeMs < 1_000) continue
      hear(await messageIn(await readFile(path, 'utf8'), name, mtimeMs))
      await rm(path)
    }
  }
  const run = async () => {
    while (!isStopping) {
      await look()
      await sleep(500)
    }
    await look()
  }
  const running = run()
  return () => {
    isStopping = true
    return running
  }
}

async function messageIn(source: string, name: string, at: number): Promise<Sent> {
  if (name.endsWith('.json')) {
    const { to, text } = JSON.parse(source)
    return { kind: 'sms', to, text, at }
  }
  const to = /^To: (.*)$/m.exec(source)?.[1] ?? ''
  const plain = source
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  const files: string[] = []
  for (const part of source.split(/^--/m)) {
    const [head = '', ...body] = part.split(/\r?\n\r?\n/)
    if (!/^content-transfer-encoding: base64/im.test(head)) continue
    const type = /^content-type: (.*)$/im.exec(head)?.[1] ?? ''
    files.push(await textOf(Buffer.from(body.join('\n'), 'base64'), type))
  }
  return { kind: 'mail', to, text: [plain, ...files].join('\n'), at }
}

/** Listens to the live stream as one person, again whenever it ends. Returns what ends it. */
export function listenAs(port: number, reader: Reader, tokenOf: () => Promise<string>, hear: Hear): () => void {
  let isStopping = false
  let end = () => {}
  const open = async () => {
    const headers = { authorization: `Bearer ${await tokenOf()}` }
    await new Promise<void>((resolve) => {
      const going = get({ port, host: '127.0.0.1', path: '/app/api/v1/live', headers }, (answer) => {
        let rest = ''
        answer.on('data', (chunk) => {
          const blocks = (rest + chunk.toString()).split('\n\n')
          rest = blocks.pop() ?? ''
          const to = `${reader.tenant} ${reader.isAdmin ? 'admin' : 'other'}`
          for (const text of blocks) hear({ kind: 'stream', to, text, at: Date.now() })
        })
        answer.on('close', resolve)
        answer.on('error', () => {})
      })
      going.on('error', () => resolve())
      end = () => going.destroy()
    })
  }
  void (async () => {
    while (!isStopping) {
      // Without a session, or a server, there is nothing to hear: it is tried again.
      await open().catch(() => {})
      await sleep(1_000)
    }
  })()
  return () => {
    isStopping = true
    end()
  }
}
