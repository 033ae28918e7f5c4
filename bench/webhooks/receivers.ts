import { createServer } from 'node:http'

/** How the receivers behave, ten of each company: half of them are what they should be. */
export const kinds = [
  'good',
  'good',
  'good',
  'slow',
  'flapping',
  'dead',
  'hanging',
  'failing',
  'gone',
  'redirecting',
] as const
/** `late`: one that takes everything, each message after four seconds; a company of its own has ten. */
export type Kind = (typeof kinds)[number] | 'late'
/** Those that take everything in the end. */
export const taking: ReadonlySet<Kind> = new Set(['good', 'slow', 'flapping'])

export interface Arrival {
  id: string
  at: number
  /** Whether it was answered with success. */
  isTaken: boolean
}

/** Sixty receivers on one port, by their paths; a dead one has a port where nobody listens. */
export async function openReceivers(port: number) {
  const arrivals = new Map<string, Arrival[]>()
  const taken = new Map<string, Set<string>>()
  let calls = 0
  let isMended = false
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      const path = (request.url ?? '').slice(1)
      const kind = path.split('-')[0] as Kind
      calls += 1
      const fails =
        kind === 'failing' ||
        kind === 'gone' ||
        kind === 'redirecting' ||
        (kind === 'flapping' && !isMended && calls % 3 === 0)
      const list = arrivals.get(path) ?? []
      arrivals.set(path, list)
      const id = String(request.headers['webhook-id'])
      const isTaken = !fails && kind !== 'hanging'
      list.push({ id, at: Date.now(), isTaken })
      if (isTaken) taken.set(path, (taken.get(path) ?? new Set()).add(id))
      if (kind === 'hanging') return
      const status = kind === 'gone' ? 410 : kind === 'redirecting' ? 302 : fails ? 500 : 204
      const answer = () => response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end()
      if (kind === 'slow' || kind === 'late') setTimeout(answer, kind === 'late' ? 4_000 : 1_000)
      else answer()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    arrivals,
    /** The messages that a receiver took, by their ids. */
    takenBy: (path: string): ReadonlySet<string> => taken.get(path) ?? new Set(),
    /** From now on those that flap answer well. */
    mend: () => {
      isMended = true
    },
    urlOf: (path: string) => (path.startsWith('dead') ? 'http://127.0.0.1:9/' : `http://127.0.0.1:${port}/${path}`),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
