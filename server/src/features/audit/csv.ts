import { Readable } from 'node:stream'
import type { AuditFilter, AuditLine } from '@isotherm/contract/audit.ts'
import { zoneOf } from '../../core/people/users.ts'
import type { Context } from '../../platform/context.ts'
import { inTenant, poolFor } from '../../platform/db/transaction.ts'
import { byteOrderMark, csvLines } from '../../platform/http/csv-lines.ts'
import type { FileBody } from '../../platform/http/serve.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { inTurns, Turns } from '../../platform/loop/turns.ts'
import { presentEntry } from './present.ts'
import { trailBefore } from './queries.ts'
import { redact, type Sight, sightOf } from './redact.ts'
import type { Reader } from './value-words.ts'

const batch = 200
/** An entry may have a fence of 500 corners before and after. */
const atOnce = 5
const columns = ['entry', 'at', 'zone', 'who', 'what', 'about', 'changes', 'reason', 'address', 'agent'] as const
const newest = '9223372036854775807'

/** The filtered trail as the person reads it, newest first, times in their zone. What a spreadsheet would take for a formula is defused. */
export async function exportCsv(ctx: Context, filter: AuditFilter): Promise<FileBody> {
  const reader = { locale: ctx.locale, zone: await zoneOf(ctx) }
  const sight = await sightOf(ctx)
  ctx.audit({ action: 'audit.exported', after: { ...filter } })
  return { body: Readable.from(lines(ctx, filter, reader, sight)), filename: 'audit-trail.csv' }
}

/**
 * Read in transactions of their own, each in the company's share: the call's is over when the answer begins, and what was written
 * does not change.
 */
async function* lines(ctx: Context, filter: AuditFilter, reader: Reader, sight: Sight) {
  const { services, companyId } = ctx
  const localTime = localTimes(reader.zone)
  const turns = new Turns()
  yield `${byteOrderMark}${csvLines([columns.map((name) => translate(reader.locale, `auditWords:csv.${name}`))])}`
  for (let before = newest; ; ) {
    const rows = await services.shares.run(companyId, (isHeldBack) =>
      inTenant(poolFor(services, isHeldBack), companyId, ({ tx }) =>
        trailBefore({ ...ctx, tx }, filter, before, batch),
      ),
    )
    for await (const some of inTurns(rows, atOnce, turns))
      yield csvLines(some.map((row) => cells(presentEntry(redact(row, sight), reader), reader.zone, localTime)))
    if (rows.length < batch) return
    before = rows.at(-1)?.seq ?? '0'
  }
}

function cells(line: AuditLine, zone: string, localTime: (at: Date) => string): (string | number)[] {
  const changes = line.changes.map(({ name, before, after }) => `${name}: ${before ?? '–'} → ${after ?? '–'}`)
  return [
    ...[Number(line.id), localTime(new Date(line.at)), zone, line.who ?? '', line.title, line.about ?? ''],
    ...[changes.join('; '), line.reason ?? '', line.address, line.agent],
  ]
}

/** 2026-11-21 08:15:30, as a spreadsheet understands it in every language. */
function localTimes(zone: string): (at: Date) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  return (at) => format.format(at)
}
