// The process that writes one run's files and ends. Its parent tells it what by message; see process.ts.
import { dataHash } from '../../../reporting/digest.ts'
import { hashedFile } from '../../../reporting/hashed-file.ts'
import { openSnapshot } from '../../../reporting/snapshot-queries.ts'
import { inSteps } from '../../../reporting/steps.ts'
import { onOrder, tell } from '../../../reporting/writing.ts'
import { openDocument } from './document.ts'
import { type DeviceDetail, type RunOrder, readingsOf, type WriterNews, type Written } from './order.ts'
import { type ReadingsDevice, readingsFiles } from './readings-files.ts'
import { openTables } from './tables.ts'

/** The parent's next message: a device, or null after the last. */
const heard = (): Promise<DeviceDetail | null> =>
  new Promise((resolve) => process.once('message', ({ device }: { device: DeviceDetail | null }) => resolve(device)))

async function write(order: RunOrder): Promise<Written> {
  const files = order.outputs.map((output) => ({ ...output, file: hashedFile(output.path) }))
  const snapshot = await openSnapshot(order.databaseUrl, order.snapshot, order.companyId)
  const withReadings = order.contents.includes('readings')
  const hash = dataHash()
  const pdf = files.find(({ part }) => part === 'document')
  const document = pdf && openDocument(pdf.file.stream, order, pdf.key)
  const tables = openTables(order)
  const tellShare = shares(withReadings && files.some(({ part }) => part === 'readings') ? 0.6 : 0.95)
  const described: ReadingsDevice[] = []
  let readings = 0
  for (;;) {
    const device = await next()
    if (!device) break
    hash.evidence(evidenceOf(device))
    await document?.device(device)
    if (withReadings)
      for await (const rows of snapshot.rows(device.deviceId, Date.parse(order.period.from), device.until)) {
        hash.readings(rows)
        readings += rows.length
        await document?.readings(rows)
      }
    else readings += readingsOf(device)
    tables.add(device)
    const { deviceId, name, until, rules } = device
    described.push({ deviceId, name, until, rules })
    tellShare.devices(described.length / order.devices.length)
  }
  const dataSha256 = hash.hex()
  const pages = (await document?.close(dataSha256)) ?? null
  for (const { part, format, file } of files)
    if (part !== 'document' && part !== 'readings') await tables.write(file.stream, part, format)
  await readingsFiles(order, snapshot, described, files, tellShare.readings)
  await snapshot.close()
  const written: Written['files'] = []
  for (const { part, file } of files)
    written.push({ sha256: await file.end(), pages: part === 'document' ? pages : null })
  return { readings, dataSha256, files: written }
}

async function next(): Promise<DeviceDetail | null> {
  const answer = heard()
  await tell<WriterNews>({ kind: 'next' })
  return answer
}

/** Tells the parent how far it is, a hundredth at least at a time. */
function shares(ofDevices: number) {
  const say = inSteps(0.01, (share) => void tell<WriterNews>({ kind: 'progress', share }))
  return {
    devices: (share: number) => say(share * ofDevices),
    readings: (share: number) => say(ofDevices + share * (1 - ofDevices)),
  }
}

/** The evidence of the run: nothing that differs between two runs of the same data, such as who asked for it. */
const evidenceOf = ({ deviceId, imeis, period, limits, stats, excursions, alarms }: DeviceDetail) => ({
  deviceId,
  imeis,
  period,
  limits,
  stats,
  excursions: excursions.map(({ deviceName: _, ...excursion }) => excursion),
  alarms,
})

onOrder(write)
