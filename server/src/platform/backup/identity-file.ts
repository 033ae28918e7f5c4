import { readFile } from 'node:fs/promises'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { RefusedError } from './refused.ts'

/** The private half of a recipient, which opens backups, and the installations whose backups it is for. */
export interface Identities {
  secrets: string[]
  /** Ids of signing keys; empty: whose backup it is remains unproven. */
  installations: string[]
}

/** The text of a new identity file, and the recipient that belongs to it. The program `age` takes the file as well. */
export async function newIdentity(installation: string): Promise<{ text: string; recipient: string }> {
  const secret = await generateX25519Identity()
  const recipient = await identityToRecipient(secret)
  return { recipient, text: `# public key: ${recipient}\n# installation: ${installation}\n${secret}\n` }
}

/** Reads an identity file; throws RefusedError where it is none. */
export async function readIdentities(file: string): Promise<Identities> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new RefusedError(`${file} cannot be read: ${error.message}`)
  })
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const secrets = lines.filter((line) => /^AGE-SECRET-KEY-1[A-Z0-9]{58}$/.test(line))
  if (secrets.length === 0) throw new RefusedError(`${file} holds no identity (AGE-SECRET-KEY-1...).`)
  const installations = lines.flatMap((line) => /^# installation: ([0-9a-f]{16})$/.exec(line)?.[1] ?? [])
  return { secrets, installations }
}
