import { createHash } from 'node:crypto'
import type { BudgetState } from '@isotherm/contract/record-budget.ts'
import { type SignedPart, signedParts } from '@isotherm/contract/records.ts'
import { sql } from 'kysely'
import { canonical } from '../../platform/audit/audit.ts'
import type { TenantTx } from '../../platform/http/context.ts'
import type { SignatureRow } from './queries.ts'
import { membersOf, type RecordRow } from './record-visibility.ts'
import { spentOf } from './stability-budget.ts'

/** The signed parts, in hex, each by itself: so that one can say what changed. */
export type Parts = Record<(typeof signedParts)[number], string>

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hashOf = (value: unknown) => sha256(canonical(JSON.parse(JSON.stringify(value))))

interface Known {
  /** The state of its budget, where that is known already. */
  budget?: BudgetState | null
  /** Hashes all readings anew: for who signs. */
  isFresh?: boolean
}

/** The content of a record that is over, as a signature binds it. Whoever asks, it is the whole record's. */
export async function partsOf(
  ctx: TenantTx,
  record: RecordRow,
  { budget, isFresh = false }: Known = {},
): Promise<Parts> {
  const devices = (await membersOf(ctx, record)).map(({ id }) => id).sort((a, b) => a - b)
  const until = record.end_at ?? record.start_at
  return {
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
    }),
    readings: isFresh
      ? await readingsHash(ctx, devices, record.start_at, until)
      : await rememberedHash(ctx, record, devices, until),
    hardware: await hardwareHash(ctx, devices, record.start_at, until),
    limits: await limitsHash(ctx, devices, record.start_at, until),
    notes: hashOf(
      await ctx.tx
        .selectFrom('record_notes')
        .select(['id', 'text', 'created_at', 'created_by', 'created_by_name'])
        .where('company_id', '=', ctx.companyId)
        .where('record_id', '=', record.id)
        .where('removed_at', 'is', null)
        .orderBy('id')
        .execute(),
    ),
    attachments: hashOf(await attachmentsOf(ctx, record.id)),
    budget: hashOf(budget === undefined ? ((await spentOf(ctx, record, until))?.state ?? null) : budget),
  }
}

interface Remembered {
  rows: string
  hash: string
}
/** Hashes of readings by record and window; the oldest go first. */
const remembered = new Map<string, Remembered>()
const maxRemembered = 5_000

/**
 * The hash of a record's readings: the one of before where every row still is the one it was. A row has the number of the
 * transaction that wrote it (xmin), and they add up to another sum after any insert, update or delete.
 */
async function rememberedHash(ctx: TenantTx, record: RecordRow, devices: number[], until: Date): Promise<string> {
  const key = `${ctx.companyId} ${record.id} ${record.start_at.getTime()} ${until.getTime()}`
  const found = await sql<{ rows: string }>`
    select count(*) || ' ' || coalesce(sum(xmin::text::int8), 0) as rows from readings
    where company_id = ${ctx.companyId} and device_id = any(${devices}::int4[])
      and measured_at >= ${record.start_at} and measured_at <= ${until}`.execute(ctx.tx)
  const rows = found.rows[0]?.rows ?? ''
  const known = remembered.get(key)
  if (known?.rows === rows) return known.hash
  const hash = await readingsHash(ctx, devices, record.start_at, until)
  remembered.delete(key)
  remembered.set(key, { rows, hash })
  const [oldest] = remembered.keys()
  if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest)
  return hash
}

/** A line for every reading of the window, by device and time, in the integers they are kept in. */
async function readingsHash(ctx: TenantTx, devices: number[], from: Date, to: Date): Promise<string> {
  const { rows } = await sql<{ id: number; hash: string }>`
    select device_id as id, encode(sha256(convert_to(string_agg(concat(
      (extract(epoch from measured_at) * 1000000)::int8, ',', temperature_centi, ',', humidity_centi, ',', light_lux, ',',
      battery_pct, ',', lat_e7, ',', lon_e7, ',' || extra::text), E'\n' order by measured_at), 'UTF8')), 'hex') as hash
    from readings where company_id = ${ctx.companyId} and device_id = any(${devices}::int4[])
      and measured_at >= ${from} and measured_at <= ${to}
    group by device_id order by device_id`.execute(ctx.tx)
  return hashOf(rows)
}

/** Which hardware measured for which device in the window; what came before and after is no part of it. */
async function hardwareHash(ctx: TenantTx, devices: number[], from: Date, to: Date): Promise<string> {
  const { rows } = await sql`
    select device_id, imei, probe, greatest(valid_from, ${from}) as since, least(valid_to, ${to}) as until from assignments
    where company_id = ${ctx.companyId} and device_id = any(${devices}::int4[]) and valid_from <= ${to}
      and (valid_to is null or valid_to > ${from}) order by device_id, valid_from`.execute(ctx.tx)
  return hashOf(rows)
}

/** The rules that judged the window's readings: limits and intervals, those in force when it began included. */
async function limitsHash(ctx: TenantTx, devices: number[], from: Date, to: Date): Promise<string> {
  const inForce = (table: string) => sql`company_id = ${ctx.companyId} and device_id = any(${devices}::int4[])
    and valid_from <= ${to} and valid_from >= coalesce((select max(b.valid_from) from ${sql.table(table)} b
      where b.company_id = t.company_id and b.device_id = t.device_id and b.valid_from <= ${from}), '-infinity')`
  const limits = await sql`
    select device_id, valid_from::text, temperature_min_centi, temperature_max_centi, humidity_min_centi, humidity_max_centi
    from device_limits t where ${inForce('device_limits')} order by device_id, t.valid_from`.execute(ctx.tx)
  const intervals = await sql`
    select device_id, valid_from::text, interval_s from device_intervals t where ${inForce('device_intervals')}
    order by device_id, t.valid_from`.execute(ctx.tx)
  return hashOf({ limits: limits.rows, intervals: intervals.rows })
}

async function attachmentsOf(ctx: TenantTx, recordId: string) {
  const rows = await ctx.tx
    .selectFrom('record_attachments')
    .select(['id', 'name', 'type', 'sha256', 'created_by'])
    .where('company_id', '=', ctx.companyId)
    .where('record_id', '=', recordId)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ sha256: hash, ...row }) => ({ ...row, sha256: hash.toString('hex') }))
}

/** The text that a signer signs: the content, after the signature before it. So the same can be signed only once. */
export const contentHash = (parts: Parts, previous: Buffer | null): string =>
  hashOf({ parts, previous: previous?.toString('hex') ?? null })

/** When a note or a file was last added or taken away, ms; -Infinity where there never was one. */
export type Touched = Record<'notes' | 'attachments', number>

export async function touchedAt(ctx: TenantTx, recordId: string): Promise<Touched> {
  const last = (table: string) => sql`(select (extract(epoch from max(greatest(created_at, removed_at))) * 1000)::float8
    from ${sql.table(table)} where company_id = ${ctx.companyId} and record_id = ${recordId}::int8)`
  const { rows } = await sql<Record<keyof Touched, number | null>>`
    select ${last('record_notes')} as notes, ${last('record_attachments')} as attachments`.execute(ctx.tx)
  const never = Number.NEGATIVE_INFINITY
  return { notes: rows[0]?.notes ?? never, attachments: rows[0]?.attachments ?? never }
}

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
  now: Parts,
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
  const changed = signedParts.filter(
    (part) => signed[part] !== undefined && (signed[part] !== now[part] || isTouched(part) > row.signed_at.getTime()),
  )
  return isWhole ? changed : [...changed, 'signature']
}
