import { dataHash } from '../../../reporting/digest.ts'
import { hashedFile } from '../../../reporting/hashed-file.ts'
import type { Writer } from '../../../reporting/writer-process.ts'
import { openDocument } from './document.ts'
import { type DeviceDetail, type RunOrder, readingsOf, type Written } from './order.ts'
import { type ReadingsDevice, readingsFiles } from './readings-files.ts'
import { openTables } from './tables.ts'

/** Writes the files of a run: its parts are its devices, in turn, then null. */
export const write: Writer<RunOrder, DeviceDetail | null, Written> = async (order, { next, rows, tellShare }) => {
  const files = order.outputs.map((output) => ({ ...output, file: hashedFile(output.path) }))
  const withReadings = order.contents.includes('readings')
  const hash = dataHash()
  const pdf = files.find(({ part }) => part === 'document')
  const document = pdf && (await openDocument(pdf.file.stream, order, pdf.key))
  const tables = openTables(order)
  const shareOfDevices = withReadings && files.some(({ part }) => part === 'readings') ? 0.6 : 0.95
  const described: ReadingsDevice[] = []
  let readings = 0
  for (let device = await next(); device; device = await next()) {
    hash.evidence(evidenceOf(device))
    await document?.device(device)
    if (withReadings)
      for await (const some of rows(device.deviceId, Date.parse(order.period.from), device.until)) {
        hash.readings(some)
        readings += some.length
        await document?.readings(some)
      }
    else readings += readingsOf(device)
    tables.add(device)
    const { deviceId, name, until, rules } = device
    described.push({ deviceId, name, until, rules })
    tellShare((described.length / order.devices.length) * shareOfDevices)
  }
  const dataSha256 = hash.hex()
  const pages = (await document?.close(dataSha256)) ?? null
  for (const { part, format, file } of files)
    if (part !== 'document' && part !== 'readings') await tables.write(file.stream, part, format)
  await readingsFiles(order, rows, described, files, (share) =>
    tellShare(shareOfDevices + share * (1 - shareOfDevices)),
  )
  const written: Written['files'] = []
  for (const { part, file } of files)
    written.push({ sha256: await file.end(), pages: part === 'document' ? pages : null })
  return { readings, dataSha256, files: written }
}

/** The evidence of the run: nothing that differs between two runs of the same data, such as who asked for it. */
const evidenceOf = ({ deviceId, imeis, period, limits, stats, excursions, alarms }: DeviceDetail) => ({
  deviceId,
  imeis,
  period,
  limits,
  stats,
  excursions: excursions.map(({ deviceName: _, annotations: __, ...excursion }) => excursion),
  // Neither has a name that may change, as above.
  alarms: alarms.map(({ device: _, alarmId: __, ...alarm }) => alarm),
})
