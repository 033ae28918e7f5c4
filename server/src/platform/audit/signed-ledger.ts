import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { LockedError, lock } from '../db/embedded/lock.ts'
import { StartRefused } from '../errors/start-refused.ts'

/** A checkpoint as it was signed here; `number` 0 stands for a trail without one. */
export const Signed = z.strictObject({
  company: z.string(),
  number: z.number().int().min(0),
  seq: z.string().regex(/^\d+$/),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
})
export type Signed = z.infer<typeof Signed>

/** `accepted`: somebody took an older or another state of the database for true, and why. Such lines are kept for ever. */
const Line = Signed.extend({ accepted: z.strictObject({ at: z.string(), reason: z.string() }).optional() })
type Line = z.infer<typeof Line>

/** Its name in DATA_DIR. */
export const signedLedgerFile = 'audit-signed.jsonl'

/** Lines that may be more than needed before the file is written anew. */
const slack = 2_000
const patienceMs = 10_000

/**
 * The last signature of this server for each trail, in a file beside the signing key: the owner of the database can take checkpoints out of
 * it, not out of here. Append-only, synced, readable by us alone; several processes may write it, one at a time.
 */
export class SignedLedger {
  readonly #dataDir: string
  readonly #file: string
  #known: { stamp: string; last: Map<string, Line>; lines: Line[] } | undefined
  #writing: Promise<unknown> = Promise.resolve()

  constructor(dataDir: string) {
    this.#dataDir = dataDir
    this.#file = join(dataDir, signedLedgerFile)
  }

  /** The last checkpoint that was signed of a company's trail, as far as is known here, with what is being noted. Throws where the file is damaged. */
  async last(companyId: number): Promise<Signed | undefined> {
    await this.#writing
    return (await this.#read()).last.get(String(companyId))
  }

  /** The last of every trail. */
  async all(): Promise<Signed[]> {
    return [...(await this.#read()).last.values()]
  }

  /** Remembers checkpoints that were signed, and committed; those that are not ahead of what is known say nothing new. */
  note(signed: Signed[]): Promise<void> {
    return this.#write(({ last }) =>
      signed
        .filter(({ company, number }) => number > (last.get(company)?.number ?? 0))
        .map(({ company, number, seq, hash }) => ({ company, number, seq, hash })),
    )
  }

  /** From now on the trail goes on from `state`, which may be behind what was signed. */
  accept(state: Signed, accepted: { at: string; reason: string }): Promise<void> {
    return this.#write(() => [{ ...state, accepted }])
  }

  async #read() {
    const about = await stat(this.#file, { bigint: true }).catch(absent)
    const stamp = about ? `${about.ino} ${about.size} ${about.mtimeNs}` : ''
    if (this.#known?.stamp === stamp) return this.#known
    const text = about ? await readFile(this.#file, 'utf8') : ''
    const lines = parse(text, this.#file)
    this.#known = { stamp, lines, last: new Map(lines.map((line) => [line.company, line])) }
    return this.#known
  }

  #write(decide: (known: { last: Map<string, Line> }) => Line[]): Promise<void> {
    const written = this.#writing.then(() => this.#append(decide))
    this.#writing = written.catch(() => {})
    return written
  }

  async #append(decide: (known: { last: Map<string, Line> }) => Line[]): Promise<void> {
    const release = await hold(this.#dataDir)
    try {
      const known = await this.#read()
      const fresh = decide(known)
      if (fresh.length === 0) return
      if (known.lines.length + fresh.length > known.last.size + slack) await this.#compact([...known.lines, ...fresh])
      else await this.#add(fresh)
    } finally {
      await release()
    }
  }

  async #add(lines: Line[]): Promise<void> {
    const isNew = !(await stat(this.#file).catch(absent))
    const handle = await open(this.#file, 'a+', 0o600)
    try {
      // A power cut may have left half a line, which was never told of as done.
      const text = await handle.readFile('utf8')
      const whole = text.lastIndexOf('\n') + 1
      if (whole < text.length) await handle.truncate(Buffer.byteLength(text.slice(0, whole)))
      await handle.appendFile(textOf(lines))
      await handle.sync()
    } finally {
      await handle.close()
    }
    if (isNew) await syncFolder(this.#dataDir)
  }

  /** The last line of each trail, and what was accepted: written beside, synced, and put in place in one step. */
  async #compact(lines: Line[]): Promise<void> {
    const last = new Map(lines.map((line) => [line.company, line]))
    const kept = lines.filter((line) => line.accepted || last.get(line.company) === line)
    const unfinished = `${this.#file}.${process.pid}.part`
    await rm(unfinished, { force: true })
    const handle = await open(unfinished, 'wx', 0o600)
    try {
      await handle.writeFile(textOf(kept))
      const { uid, gid } = await stat(this.#file)
      await handle.chown(uid, gid)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(unfinished, this.#file)
    await syncFolder(this.#dataDir)
  }
}

const textOf = (lines: Line[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

function parse(text: string, file: string): Line[] {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  return whole
    .split('\n')
    .filter(Boolean)
    .map((line, index) => {
      try {
        return Line.parse(JSON.parse(line))
      } catch {
        throw new StartRefused(`${file} is damaged in line ${index + 1}: restore it from a backup.`)
      }
    })
}

/** The writers' turn: the kernel frees it with the process. */
async function hold(dir: string): Promise<() => Promise<void>> {
  for (const deadline = Date.now() + patienceMs; ; await setTimeout(5 + Math.random() * 15))
    try {
      return (await lock(dir)).release
    } catch (error) {
      if (!(error instanceof LockedError) || Date.now() > deadline) throw error
    }
}

async function syncFolder(dir: string): Promise<void> {
  const handle = await open(dir)
  await handle.sync().finally(() => handle.close())
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code !== 'ENOENT') throw error
  return null
}
