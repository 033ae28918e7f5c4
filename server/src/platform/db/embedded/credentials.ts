import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Credentials to log in; `port` is the last one used, kept so that it stays the same. A file of an earlier version has
 * no `backupPassword`: that role is made at the next start.
 */
export type Credentials = { password: string; backupPassword?: string; port: number }

const fileOf = (dataDir: string) => join(dataDir, 'postgres.json')

export async function readCredentials(dataDir: string): Promise<Credentials | null> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as Credentials)
}

/** Writes the file whole and readable by us alone. */
export async function writeCredentials(dataDir: string, credentials: Credentials): Promise<void> {
  const file = fileOf(dataDir)
  await writeFile(`${file}.new`, `${JSON.stringify(credentials)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

export const newPassword = () => randomBytes(24).toString('base64url')
