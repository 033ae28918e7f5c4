import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Peers } from './peers.ts'

/** A file of the browser app. */
export interface Asset {
  content: Buffer
  isGzipped: boolean
}

/** Finds a file that this node lacks; null: no node that can be asked has it. */
export type FindAsset = (name: string, takesGzip: boolean) => Promise<Asset | null>

interface Question {
  name: string
  takesGzip: boolean
}
type Answer = { base64: string; isGzipped: boolean } | null

/** The names that the build gives: anything else is no question for another node. */
const isName = (name: string) => /^[\w-][\w.-]{0,199}$/.test(name)
/** Anybody may ask for any name: one that no node has is not asked for again so soon, and not many are asked for at once. */
const missedForMs = 10_000
const maxMissed = 1_000
const maxAtOnce = 16

/**
 * Answers other nodes with files of the browser app, and asks them for those that `folder` lacks: while nodes of two versions run, a page of one
 * fetches its files from a node of the other.
 */
export function assetsShared(peers: Pick<Peers, 'on' | 'ask' | 'connected'>, folder: string): FindAsset {
  const missedAt = new Map<string, number>()
  let underWay = 0
  peers.on('asset', (body) => read(folder, body as Question))
  return async (name, takesGzip) => {
    const now = performance.now()
    if (!isName(name) || underWay >= maxAtOnce || now - (missedAt.get(name) ?? -missedForMs) < missedForMs) return null
    underWay++
    try {
      for (const peer of peers.connected()) {
        const asked = peers.ask(peer, 'asset', { name, takesGzip } satisfies Question)
        // A node that has left, or does not know the question.
        const answer = (await asked.catch(() => null)) as Answer
        if (answer) return { content: Buffer.from(answer.base64, 'base64'), isGzipped: answer.isGzipped }
      }
    } finally {
      underWay--
    }
    missedAt.delete(name)
    missedAt.set(name, now)
    for (const [first] of missedAt) if (missedAt.size > maxMissed) missedAt.delete(first)
    return null
  }
}

async function read(folder: string, { name, takesGzip }: Question): Promise<Answer> {
  if (typeof name !== 'string' || !isName(name)) return null
  const file = join(folder, name)
  const contentOf = (path: string) => readFile(path, 'base64').catch(() => null)
  const gzipped = takesGzip === true ? await contentOf(`${file}.gz`) : null
  const base64 = gzipped ?? (await contentOf(file))
  return base64 === null ? null : { base64, isGzipped: gzipped !== null }
}
