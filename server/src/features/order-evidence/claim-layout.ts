import { createReadStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { translate } from '../../platform/i18n/i18n.ts'
import type { Layout, Source } from '../../reporting/layout.ts'
import { columnsOfDevice, noDevice } from '../../reporting/reading-columns.ts'
import { type Column, type Table, tableOf, timeFormat, writeCsv } from '../../reporting/tables.ts'
import type { Packed } from '../../reporting/zip.ts'
import type { ClaimContent, ClaimEvent } from './claim-content.ts'
import { printClaim } from './claim-pages.ts'

/** A claim pack: its pages, and the data beside them. */
export const layout: Layout<ClaimContent> = {
  data: (content) => ({ evidence: evidenceOf(content), devices: measuredOf(content) }),
  pdf({ content, digest }) {
    const title = translate(content.locale, 'orderEvidence:claim.title', { code: content.order.trackingCode })
    return {
      title,
      head: `${content.company} · ${title}`,
      sections: [{ print: (paper) => printClaim(paper, content, digest) }],
    }
  },
  files: (source) => [
    csv('readings.csv', source, readings(source)),
    csv('events.csv', source, events(source.content)),
    csv('custody.csv', source, custody(source.content)),
    ...source.content.files.map(
      ({ name, path }): Packed => ({ name, write: (to) => pipeline(createReadStream(path), to) }),
    ),
  ],
}

const evidenceOf = ({ order: { id, trackingCode }, custody, dwell, handOvers, files }: ClaimContent) => ({
  ...{ id, trackingCode, custody, dwell, handOvers, files: files.map(({ name, sha256 }) => ({ name, sha256 })) },
})

const measuredOf = ({ devices, period }: ClaimContent) =>
  devices.map(({ id, name, until, rules }) => ({
    ...{ name, deviceId: id, from: Date.parse(period.from), until, rules, evidence: {} },
  }))

const csv = (name: string, { content }: Source<ClaimContent>, table: Table): Packed => ({
  name,
  write: (to: Writable) => writeCsv(to, table, content.zone),
})

const readings = ({ content, rows }: Source<ClaimContent>): Table => ({
  name: 'readings',
  heads: columnsOfDevice(content, noDevice),
  rows: readingCells(content, rows),
})

async function* readingCells(content: ClaimContent, rows: Source<ClaimContent>['rows']) {
  for (const device of measuredOf(content)) {
    const columns = columnsOfDevice(content, device)
    for await (const some of rows(device)) yield some.map((row) => columns.map(({ value }) => value(row)))
  }
}

// As machines read them: their titles are of no language.
const eventColumns: Column<ClaimEvent>[] = [
  { header: 'occurred', width: 30, value: ({ at }) => ({ at }), numFmt: timeFormat },
  { header: 'recorded', width: 22, value: ({ recordedAt }) => ({ at: recordedAt, isUtc: true }), numFmt: timeFormat },
  { header: 'zone', width: 20, value: ({ zone }) => zone },
  { header: 'event', width: 16, value: ({ kind }) => kind },
  { header: 'source', width: 14, value: ({ source }) => source },
  { header: 'by', width: 24, value: ({ by }) => by },
  { header: 'receiver', width: 24, value: ({ receiver }) => receiver },
  { header: 'detail', width: 60, value: ({ detail }) => detail },
]
const events = ({ events: told }: ClaimContent): Table => tableOf('events', eventColumns, [told])

interface Stretch {
  device: string
  holder: string
  name: string | null
  from: number
  to: number
  basis: string
  outMs: number
}
const custodyColumns: Column<Stretch>[] = [
  { header: 'device', width: 26, value: ({ device }) => device },
  { header: 'holder', width: 12, value: ({ holder }) => holder },
  { header: 'name', width: 26, value: ({ name }) => name },
  { header: 'from', width: 30, value: ({ from }) => ({ at: from }), numFmt: timeFormat },
  { header: 'to', width: 30, value: ({ to }) => ({ at: to }), numFmt: timeFormat },
  { header: 'by', width: 12, value: ({ basis }) => basis },
  { header: 'minutes out of range', width: 20, value: ({ outMs }) => Math.round(outMs / 6_000) / 10, numFmt: '0.0' },
]
function custody({ custody: held }: ClaimContent): Table {
  const rows = (held?.devices ?? []).flatMap(({ name: device, stretches }) =>
    stretches.map(({ holder, from, to, basis, outMs }) => ({
      ...{ device, holder: holder.kind, name: holder.name, from: Date.parse(from), to: Date.parse(to), basis, outMs },
    })),
  )
  return tableOf('custody', custodyColumns, [rows])
}
