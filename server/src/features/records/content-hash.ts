import { createHash } from 'node:crypto'
import type { BudgetState } from '@isotherm/contract/record-budget.ts'
import { type SignedPart, signedParts } from '@isotherm/contract/records.ts'
import type { RecordRow } from '../../core/records/record-queries.ts'
import { canonical } from '../../platform/audit/audit.ts'
import type { TenantTx } from '../../platform/context.ts'
import {
  hardwareWithin,
  hashesOfReadings,
  rulesWithin,
  type Stretch,
  stampOfReadings,
  type Touched,
} from './content-queries.ts'
import { type AttachmentRow, additionsOf, type NoteRow } from './note-queries.ts'
import type { SignatureRow } from './queries.ts'
import { spentOf } from './stability-budget.ts'
import { membersOf } from './visibility-queries.ts'

/** The signed parts, in hex, each by itself: so that one can say what changed. */
export type Parts = Record<(typeof signedParts)[number], string>

/** The content of a record: its parts now, and the hashes of the notes and files that are addenda, after each of them was added. */
export interface Content {
  parts: Parts
  addenda: { notes: readonly string[]; files: readonly string[] }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hashOf = (value: unknown) => sha256(canonical(JSON.parse(JSON.stringify(value))))

interface Known {
  /** The state of its budget, where that is known already. */
  budget?: BudgetState | null
  /** Hashes all readings anew: for who signs. */
  isFresh?: boolean
}

/** The content of a record that is over, as a signature binds it. Whoever asks, it is the whole record's. */
export async function contentOf(
  ctx: TenantTx,
  record: RecordRow,
  { budget, isFresh = false }: Known = {},
): Promise<Content> {
  const members = (await membersOf(ctx, record)).sort((a, b) => a.id - b.id)
  const devices = members.map(({ id }) => id)
  // Nothing of them stands in the content of other records: signatures of before there were such times stand.
  const parted = members.filter(({ joined_at, left_at }) => joined_at !== null || left_at !== null)
  const until = record.end_at ?? record.start_at
  const stretch = { devices, from: record.start_at, to: until, parted }
  const notes = await additionsOf(ctx, 'record_notes', record.id)
  const attachments = await additionsOf(ctx, 'record_attachments', record.id)
  const addenda = {
    notes: growingHashes(notes.filter((one) => one.is_addendum).map(signedNote)),
    files: growingHashes(attachments.filter((one) => one.is_addendum).map(signedFile)),
  }
  const parts = {
    record: hashOf({
      id: record.id,
      groupId: record.group_id,
      name: record.name,
      lot: record.lot,
      startAt: record.start_at,
      endAt: record.end_at,
      endedBy: record.ended_by,
      destination: record.destination,
      budget: record.budget,
      devices,
      ...(parted.length > 0 && {
        parted: parted.map(({ id, joined_at: joinedAt, left_at: leftAt }) => ({ id, joinedAt, leftAt })),
      }),
    }),
    readings: isFresh ? hashOf(await hashesOfReadings(ctx, stretch)) : await rememberedHash(ctx, record.id, stretch),
    hardware: hashOf(await hardwareWithin(ctx, stretch)),
    limits: hashOf(await rulesWithin(ctx, stretch)),
    notes: hashOf(notes.filter((one) => !one.is_addendum).map(signedNote)),
    attachments: hashOf(attachments.filter((one) => !one.is_addendum).map(signedFile)),
    addenda: `${addenda.notes.at(-1)}${addenda.files.at(-1)}`,
    budget: hashOf(budget === undefined ? ((await spentOf(ctx, record, until))?.state ?? null) : budget),
  }
  return { parts, addenda }
}

const signedNote = ({ id, text, created_at, created_by, created_by_name }: NoteRow) => ({
  ...{ id, text, created_at, created_by, created_by_name },
})

const signedFile = ({ id, name, type, created_by, sha256: hash }: AttachmentRow) => ({
  ...{ id, name, type, created_by },
  sha256: hash.toString('hex'),
})

/** The hash of none of a list, of its first, of its first two, and so on: a signature covers those there were when it was given. */
const growingHashes = (list: readonly object[]): string[] =>
  [undefined, ...list].map((_, count) => hashOf(list.slice(0, count)))

/** A hash of all readings of a stretch. */
export const hashOfReadings = async (ctx: TenantTx, stretch: Stretch): Promise<string> =>
  hashOf(await hashesOfReadings(ctx, stretch))

/** Hashes of readings by record and stretch, each with the stamp of its rows; the oldest go first. */
const remembered = new Map<string, { stamp: string; hash: string }>()
const maxRemembered = 5_000

/**
 * The hash of a record's readings: the one of before where no row has changed. The memory stays, because a page of signed records asks
 * for all their hashes: of 40,000 readings the stamp takes 35 ms, the hash 250 ms. It is safe on several servers: each compares the stamp
 * of the rows with its own.
 */
async function rememberedHash(ctx: TenantTx, recordId: string, stretch: Stretch): Promise<string> {
  const key = `${ctx.companyId} ${recordId} ${stretch.from.getTime()} ${stretch.to.getTime()} ${partedKey(stretch)}`
  const stamp = await stampOfReadings(ctx, stretch)
  const known = remembered.get(key)
  if (known?.stamp === stamp) return known.hash
  const hash = hashOf(await hashesOfReadings(ctx, stretch))
  remembered.delete(key)
  remembered.set(key, { stamp, hash })
  const [oldest] = remembered.keys()
  if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest)
  return hash
}

const partedKey = ({ parted = [] }: Stretch): string =>
  parted.map(({ id, joined_at, left_at }) => [id, joined_at?.getTime(), left_at?.getTime()].join(':')).join(' ')

/** The text that a signer signs: the content, after the signature before it. So the same can be signed only once. */
export const contentHash = (parts: Parts, previous: Buffer | null): string =>
  hashOf({ parts, previous: previous?.toString('hex') ?? null })

interface Signed {
  recordId: string
  signerId: string
  signerName: string
  signerRole: string
  signedAt: Date
  meaning: string
  reason: string
}

/** A signature's own hash: the content, who, when, what they meant and why, and the signature before. */
export const signatureHash = (content: string, previous: Buffer | null, signed: Signed): string =>
  hashOf({ content, previous: previous?.toString('hex') ?? null, ...signed })

/**
 * Finds the differences between the signed content and the present one; `previous` is the signature before it, null for the first. One
 * whose own hashes no longer fit what is kept of it was tampered with. A note or file that was added after it and taken away
 * again was there when somebody relied on the record: that stays told.
 */
export function changedParts(
  row: SignatureRow,
  previous: SignatureRow | null,
  { parts: now, addenda }: Content,
  touched: Touched,
): SignedPart[] {
  const signed = row.parts as unknown as Partial<Parts>
  const before = previous?.sha256 ?? null
  const content = contentHash(signed as Parts, before)
  const own = signatureHash(content, before, {
    recordId: row.record_id,
    signerId: row.signer_id,
    signerName: row.signer_name,
    signerRole: row.signer_role,
    signedAt: row.signed_at,
    meaning: row.meaning,
    reason: row.reason,
  })
  const isWhole = content === row.content_sha256.toString('hex') && own === row.sha256.toString('hex')
  // A part that was not yet signed when this was given says nothing.
  const isTouched = (part: string) => (touched as Partial<Record<string, number>>)[part] ?? Number.NEGATIVE_INFINITY
  const stands = (part: keyof Parts, hash: string) =>
    part === 'addenda'
      ? addenda.notes.includes(hash.slice(0, 64)) && addenda.files.includes(hash.slice(64))
      : now[part] === hash
  const changed = signedParts.filter(
    (part) => signed[part] !== undefined && (!stands(part, signed[part]) || isTouched(part) > row.signed_at.getTime()),
  )
  return isWhole ? changed : [...changed, 'signature']
}
