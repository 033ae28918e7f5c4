import { createReadStream } from 'node:fs'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { MeasuredDevice, Source } from '../layout.ts'
import { columnsOfDevice, noDevice } from '../reading-columns.ts'
import { type Column, type Table, tableOf, timeFormat, writeCsv } from '../tables.ts'
import type { Packed } from '../zip.ts'
import type { ClaimEvent, ClaimParts, ClaimStretch } from './claim-parts.ts'

/** The data whose hash a claim pack prints: the readings of its devices, and `evidence`. */
export const claimData = ({ devices, files }: ClaimParts, evidence: object) => ({
  evidence: { ...evidence, files: files.map(({ name, sha256 }) => ({ name, sha256 })) },
  devices: devices.map(({ id, name, from, until, rules }): MeasuredDevice & { name: string } => ({
    ...{ name, deviceId: id, from, until, rules, evidence: {} },
  })),
})

/** The files of a claim's ZIP beside its PDF: readings, events and custody as CSV, and those that are kept already. */
export const claimFiles = <C extends ClaimParts>(source: Source<C>): Packed[] => [
  csv('readings.csv', source, readings(source)),
  csv('events.csv', source, tableOf('events', eventColumns, [source.content.events])),
  csv('custody.csv', source, tableOf('custody', custodyColumns, [source.content.stretches])),
  ...source.content.files.map(
    ({ name, path }): Packed => ({ name, write: (to) => pipeline(createReadStream(path), to) }),
  ),
]

const csv = (name: string, { content }: Source<ClaimParts>, table: Table): Packed => ({
  name,
  write: (to: Writable) => writeCsv(to, table, content.zone),
})

const readings = ({ content, rows }: Source<ClaimParts>): Table => ({
  name: 'readings',
  heads: columnsOfDevice(content, noDevice),
  rows: readingCells(content, rows),
})

async function* readingCells(content: ClaimParts, rows: Source<ClaimParts>['rows']) {
  for (const device of claimData(content, {}).devices) {
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
  { header: 'place', width: 24, value: ({ place }) => place },
  { header: 'detail', width: 60, value: ({ detail }) => detail },
]

const custodyColumns: Column<ClaimStretch>[] = [
  { header: 'device', width: 26, value: ({ device }) => device },
  { header: 'holder', width: 12, value: ({ holder }) => holder },
  { header: 'name', width: 26, value: ({ name }) => name },
  { header: 'from', width: 30, value: ({ from }) => ({ at: from }), numFmt: timeFormat },
  { header: 'to', width: 30, value: ({ to }) => ({ at: to }), numFmt: timeFormat },
  { header: 'by', width: 12, value: ({ basis }) => basis },
  { header: 'minutes out of range', width: 20, value: ({ outMs }) => Math.round(outMs / 6_000) / 10, numFmt: '0.0' },
]
