import { z } from 'zod'
import type { Peers } from '../cluster/peers.ts'
import type { Log } from '../log/log.ts'
import { Signed, type SignedLedger } from './signed-ledger.ts'

const firstAfterMs = 30_000
const everyMs = 600_000
/** Trails in one question. */
const batchSize = 1_000

const Trails = z.array(Signed)
const Companies = z.array(z.string())

/** Companies of whose trail both remember a checkpoint of the same number, and not the same one. Of other numbers nothing can be said. */
export function contradicting(ours: readonly Signed[], theirs: readonly Signed[]): string[] {
  const known = new Map(ours.map((signed) => [signed.company, signed]))
  return theirs.flatMap(({ company, number, seq, hash }) => {
    const own = known.get(company)
    const isOther = own?.number === number && (own.hash !== hash || own.seq !== seq)
    return isOther ? [company] : []
  })
}

/**
 * Has servers with copies of DATA_DIR compare what they signed last: each remembers the checkpoints that it signed, so they seldom have the same, but never
 * two different ones of one number.
 */
export class LedgerComparison {
  readonly #peers: Peers
  readonly #ledger: Pick<SignedLedger, 'all'>
  readonly #log: Log
  readonly #nameOf: (id: string) => string
  #faults: string[] = []
  #timer: NodeJS.Timeout | undefined

  /** `nameOf` names the server of an id. */
  constructor(peers: Peers, ledger: Pick<SignedLedger, 'all'>, log: Log, nameOf: (id: string) => string) {
    this.#peers = peers
    this.#ledger = ledger
    this.#log = log
    this.#nameOf = nameOf
    peers.on('ledger', async (body) => contradicting(await ledger.all(), Trails.parse(body)))
  }

  /** Sentences for the operator. */
  get faults(): readonly string[] {
    return this.#faults
  }

  start(): void {
    this.#soon(firstAfterMs)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #soon(ms: number) {
    this.#timer = setTimeout(() => {
      this.compare()
        .catch((err: unknown) => this.#log.debug({ err }, 'ledgers of audit trails could not be compared'))
        .finally(() => this.#timer && this.#soon(everyMs))
    }, ms)
    this.#timer.unref()
  }

  /** Asks all others once. */
  async compare(): Promise<void> {
    const own = await this.#ledger.all()
    const faults: string[] = []
    for (const peer of this.#peers.connected()) {
      const companies: string[] = []
      for (let from = 0; from < own.length; from += batchSize) {
        const answer = await this.#peers.ask(peer, 'ledger', own.slice(from, from + batchSize))
        companies.push(...Companies.parse(answer))
      }
      if (companies.length === 0) continue
      const some = companies.slice(0, 5).join(', ')
      faults.push(
        `DATA_DIR/audit-signed.jsonl of this node and of node ${this.#nameOf(peer)} contradict each other (companies ${some}${companies.length > 5 ? ', ...' : ''}): one of them signed another audit trail.`,
      )
    }
    for (const fault of faults) if (!this.#faults.includes(fault)) this.#log.error(fault)
    this.#faults = faults
  }
}
