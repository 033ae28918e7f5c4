import { type BulkColumn, bulkColumns } from '@isotherm/contract/device-bulk.ts'
import { type Limits, type LimitsChange, limitsOf, presetNames } from '@isotherm/contract/device-limits.ts'
import { type Device, DeviceChange, DeviceSetup } from '@isotherm/contract/devices.ts'
import { messagesOf } from '@isotherm/contract/errors.ts'
import type { z } from 'zod'
import { checkImei, isImei } from '../../domain/identifiers.ts'
import { numberOf } from '../../platform/csv/read-csv.ts'
import type { BulkLine, RowProblem } from './bulk-line.ts'

const ownLimits = ['temperatureMinC', 'temperatureMaxC', 'humidityMinPct', 'humidityMaxPct'] as const
type Known = Pick<Device, 'name' | 'tag' | 'limits' | 'sampleUntil'>

/** Which hardware a row speaks of; spreadsheets mark a text with an apostrophe, labels group digits. */
export const imeiOf = ({ cells }: BulkLine): string => (cells.imei ?? '').replace(/^'/, '').replace(/[\s-]/g, '')

/** The probe a row speaks of: 1 where it says none, null where it says nonsense. */
export function probeOf({ cells }: BulkLine): number | null {
  const probe = cells.probe === undefined ? 1 : numberOf(cells.probe)
  return typeof probe === 'number' && Number.isInteger(probe) ? probe : null
}

const presetOf = (cell: string) => presetNames.find((name) => name.toLowerCase() === cell.toLowerCase()) ?? cell

function limitsIn({ cells }: BulkLine): Record<string, unknown> | undefined {
  const own = ownLimits.filter((column) => cells[column] !== undefined)
  if (cells.preset === undefined && own.length === 0) return undefined
  return {
    ...(cells.preset === undefined ? {} : { preset: presetOf(cells.preset) }),
    ...Object.fromEntries(own.map((column) => [column, numberOf(cells[column])])),
  }
}

const problemsOf = (error: { issues: z.core.$ZodIssue[] }): RowProblem[] =>
  messagesOf(error).map(({ path, message }) => {
    const name = path.split('.').at(-1)
    return { column: bulkColumns.find((column) => column === name) ?? null, message }
  })

const shortened = (imei: string) => /^\d([.,]\d+)?e\+?\d+$/i.test(imei)

/** The fault of the number itself; nothing where it is one. */
export function imeiProblems(imei: string, overrideImeiCheck: boolean): RowProblem[] {
  const problem = (key: string): RowProblem[] => [{ column: 'imei', message: { key, values: {} } }]
  if (imei === '') return problem('fields.required')
  if (shortened(imei)) return problem('fields.rule.csv.shortened')
  if (!isImei(imei)) return problem('fields.format.imei')
  return checkImei(imei) === 'ok' || overrideImeiCheck ? [] : problem('fields.rule.luhn')
}

/** A file names the key of each of its devices. */
const BulkSetup = DeviceSetup.required({ licenceKey: true })
export type BulkSetup = z.infer<typeof BulkSetup>

/** A row about a device that is not yet the company's. */
export function setupOf(line: BulkLine): { setup: BulkSetup } | { problems: RowProblem[] } {
  const { cells } = line
  const limits = limitsIn(line)
  const parsed = BulkSetup.safeParse({
    imei: imeiOf(line),
    ...(cells.claimCode === undefined ? {} : { claimCode: cells.claimCode }),
    licenceKey: cells.licenceKey,
    name: cells.name,
    tag: cells.tag ?? null,
    probe: numberOf(cells.probe) ?? 1,
    overrideImeiCheck: true,
    ...(cells.intervalS === undefined ? {} : { intervalS: numberOf(cells.intervalS) }),
    ...(cells.visibility === undefined ? {} : { visibility: cells.visibility.toLowerCase() }),
    ...(limits ? { limits } : {}),
  })
  return parsed.success ? { setup: parsed.data } : { problems: problemsOf(parsed.error) }
}

/** The changes of a row to a device the company has; empty cells, and limits it does not name, stay as they are. */
export function changeOf(
  line: BulkLine,
  device: Known,
): { change: DeviceChange; changes: BulkColumn[]; ignored: BulkColumn[] } | { problems: RowProblem[] } {
  const { cells } = line
  const limits = limitsIn(line)
  const whole = limits && (limits.preset === undefined ? { ...device.limits, ...limits } : limits)
  const parsed = DeviceChange.safeParse({
    ...(cells.name === undefined ? {} : { name: cells.name }),
    ...(cells.tag === undefined ? {} : { tag: cells.tag }),
    ...(whole ? { limits: whole } : {}),
  })
  if (!parsed.success) return { problems: problemsOf(parsed.error) }
  const { name, tag, limits: wanted } = parsed.data
  if (device.sampleUntil && name !== undefined && name !== device.name)
    return { problems: [{ column: 'name', message: { key: 'fields.rule.sampleName', values: {} } }] }
  const altered = wanted ? alteredLimits(wanted, device.limits) : []
  const change: DeviceChange = {
    ...(name !== undefined && name !== device.name ? { name } : {}),
    ...(tag !== undefined && tag !== device.tag ? { tag } : {}),
    ...(wanted && altered.length > 0 ? { limits: wanted } : {}),
  }
  const changes = [...(['name', 'tag'] as const).filter((column) => change[column] !== undefined), ...altered]
  const fixed = ['claimCode', 'licenceKey', 'intervalS', 'visibility'] as const
  return { change, changes, ignored: fixed.filter((column) => cells[column] !== undefined) }
}

function alteredLimits(wanted: LimitsChange, now: Limits): (typeof ownLimits)[number][] {
  const next = limitsOf(wanted)
  const centi = (value: number | null) => (value === null ? null : Math.round(value * 100))
  return ownLimits.filter((column) => centi(next[column]) !== centi(now[column]))
}
