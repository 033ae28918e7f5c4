import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Log, redactUrl } from '../log/log.ts'

/** Leaves a message as a file where no provider is configured; the same key writes the same file. */
export async function outboxFile(
  folder: string,
  log: Log,
  message: { channel: string; to: string; key: string; text: string },
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const name = createHash('sha256').update(message.key).digest('hex').slice(0, 24)
  const path = join(folder, `${message.channel}-${name}.json`)
  await writeFile(path, `${JSON.stringify(message, null, 2)}\n`, { mode: 0o600 })
  log.info(`${message.channel} for ${message.to} in ${path}: ${redactUrl(message.text)}`)
}
