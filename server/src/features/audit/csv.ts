import { Readable } from 'node:stream'
import type { AuditFilter, AuditLine } from '@isotherm/contract/audit.ts'
import { namedIn } from '@isotherm/contract/named.ts'
import { zoneOf } from '../../core/people/users.ts'
import type { Context } from '../../platform/context.ts'
import { byteOrderMark, csvLines } from '../../platform/http/csv-lines.ts'
import type { FileBody } from '../../platform/http/serve.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { inTurns, Turns } from '../../platform/loop/turns.ts'
import { clockOf } from '../../reporting/zone.ts'
import { presentEntry } from './present.ts'
import { type AuditRow, trailBefore } from './queries.ts'
import { redact, type Sight, sightOf } from './redact.ts'
import { trailPages } from './trail-pages.ts'
import type { Reader } from './value-words.ts'

/** An entry may have a fence of 500 corners before and after. */
const perTurn = 5
const columns = ['entry', 'at', 'zone', 'who', 'what', 'about', 'changes', 'reason', 'address', 'agent'] as const
const newest = '9223372036854775807'

/** The filtered trail as the person reads it, newest first, times in their zone. What a spreadsheet would take for a formula is defused. */
export async function exportCsv(ctx: Context, filter: AuditFilter): Promise<FileBody> {
  const reader = { locale: ctx.locale, zone: await zoneOf(ctx) }
  const sight = await sightOf(ctx)
  ctx.audit({ action: 'audit.exported', after: { ...filter } })
  return { body: Readable.from(lines(ctx, filter, reader, sight)), filename: 'audit-trail.csv' }
}

async function* lines(ctx: Context, filter: AuditFilter, reader: Reader, sight: Sight) {
  // 2026-11-21 08:15:30, as a spreadsheet understands it in every language.
  const { second } = clockOf(reader.zone)
  const turns = new Turns()
  yield `${byteOrderMark}${csvLines([columns.map((name) => translate(reader.locale, `auditWords:csv.${name}`))])}`
  const pages = trailPages<AuditRow>(ctx, (tx, last, limit) =>
    trailBefore({ ...ctx, tx }, filter, last?.seq ?? newest, limit),
  )
  for await (const rows of pages)
    for await (const some of inTurns(rows, perTurn, turns))
      yield csvLines(some.map((row) => cells(presentEntry(redact(row, sight), reader), reader, second)))
}

function cells(line: AuditLine, { locale, zone }: Reader, localTime: (at: number) => string): (string | number)[] {
  const changes = line.changes.map(({ name, before, after }) =>
    namedIn(locale, name, `${before ?? '–'} → ${after ?? '–'}`),
  )
  return [
    ...[Number(line.id), localTime(Date.parse(line.at)), zone, line.who ?? '', line.title, line.about ?? ''],
    ...[changes.join('; '), line.reason ?? '', line.address, line.agent],
  ]
}
