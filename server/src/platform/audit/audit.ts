import { createHash } from 'node:crypto'
import type { Tx } from '../db/transaction.ts'

/** The author of an act. */
export type Actor =
  | { kind: 'user'; id: string; name: string; role: string }
  | { kind: 'key'; id: string; name: string }
  | { kind: 'guest' }
  | { kind: 'system'; name: string }

/** From where. */
export interface Origin {
  address: string
  agent: string
  requestId: string
}

export interface AuditEntry {
  /** Dotted, feature first: `users.invited`. Texts: locales, namespace `audit`. */
  action: string
  target?: { kind: string; id: string; name: string }
  before?: Record<string, unknown>
  after?: Record<string, unknown>
  reason?: string
}

export interface Chained extends AuditEntry {
  seq: number
  at: string
  actor: Actor
  origin: Origin
}

/** The hash before the first entry of a trail. */
export const genesis = Buffer.alloc(32)

/** JSON with sorted keys, so that the same entry hashes alike whatever order jsonb gives it back in. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value !== null && typeof value === 'object')
    return `{${Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`)
      .join(',')}}`
  return JSON.stringify(value ?? null)
}

/**
 * SHA-256 over the hash before and the entry: a changed, lost or moved entry breaks every later hash. The entry is
 * hashed as JSON will give it back, so that an instant or an absent value does not differ from what is stored.
 */
export function chainHash(previous: Buffer, companyId: number, entry: Chained): Buffer {
  const stored = JSON.parse(JSON.stringify({ companyId, ...entry }))
  return createHash('sha256').update(previous).update(canonical(stored)).digest()
}

const only = <T>(value: T | undefined): string | null => (value === undefined ? null : JSON.stringify(value))

/**
 * Appends entries to the company's trail in the caller's transaction, which must be `app` or `pipeline`.
 * Locks the company's head until that transaction ends, so call it last.
 */
export async function writeAudit(
  tx: Tx,
  companyId: number,
  about: { actor: Actor; origin: Origin; at: Date },
  entries: AuditEntry[],
): Promise<void> {
  await tx
    .insertInto('audit_heads')
    .values({ company_id: companyId, seq: '0', hash: genesis })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const head = await tx
    .selectFrom('audit_heads')
    .select(['seq', 'hash'])
    .where('company_id', '=', companyId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  let { hash } = head
  let seq = Number(head.seq)
  const rows = entries.map((entry) => {
    const previous = hash
    seq += 1
    const chained: Chained = { ...entry, seq, at: about.at.toISOString(), actor: about.actor, origin: about.origin }
    hash = chainHash(previous, companyId, chained)
    return {
      company_id: companyId,
      seq: String(seq),
      at: about.at,
      actor: JSON.stringify(about.actor),
      action: entry.action,
      target: only(entry.target),
      before: only(entry.before),
      after: only(entry.after),
      reason: entry.reason ?? null,
      origin: JSON.stringify(about.origin),
      prev_hash: previous,
      hash,
    }
  })
  await tx.insertInto('audit_log').values(rows).execute()
  await tx
    .updateTable('audit_heads')
    .set({ seq: String(seq), hash })
    .where('company_id', '=', companyId)
    .execute()
}
