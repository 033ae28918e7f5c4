import {
  type BulkColumn,
  type BulkResult,
  type BulkRow,
  bulkColumns,
  bulkVerdicts,
  type DeviceBulkSetup,
} from '@isotherm/contract/device-bulk.ts'
import type { Device } from '@isotherm/contract/devices.ts'
import type { ErrorCode } from '@isotherm/contract/errors.ts'
import type { Claim, LabelChange } from '../../core/devices/device-changes.ts'
import { type Joining, joinGroups } from '../../core/groups/join-groups.ts'
import { checkProbe, isCodeMissing, proveAll, refuseInUse, takeOver } from '../../core/provider/claim-hardware.ts'
import type { StoredHardware } from '../../core/provider/hardware.ts'
import { normalizeKey } from '../../core/provider/licence-keys.ts'
import { maySee } from '../../core/visibility/visibility.ts'
import type { AuditEntry } from '../../platform/audit/audit.ts'
import type { Context } from '../../platform/context.ts'
import { readCsv } from '../../platform/csv/read-csv.ts'
import { beginRehearsal, takeBack } from '../../platform/db/rehearsal.ts'
import { AppError, InvalidInput } from '../../platform/errors/app-error.ts'
import { translate } from '../../platform/i18n/i18n.ts'
import { inTurns } from '../../platform/loop/turns.ts'
import { type BulkSetup, changeOf, imeiOf, imeiProblems, probeOf, setupOf } from './bulk-entry.ts'
import { knownDevices, type Place, placesOf, probeKey } from './bulk-facts.ts'
import { groupsOfFile } from './bulk-groups.ts'
import type { BulkLine, RowProblem } from './bulk-line.ts'

/** The functions of the devices feature that a file needs. The app hands them in. */
export interface DevicePorts {
  devicesByIds(ctx: Context, ids: number[]): Promise<Device[]>
  /** Returns null for a probe in use: the caller must then roll back. */
  claimDevices(ctx: Context, claims: Claim[]): Promise<(number | null)[]>
  changeDevices(ctx: Context, all: LabelChange[]): Promise<void>
}

/**
 * Sets up, or renames, tags, limits and groups, the devices of a CSV: all rows or none. A dry run does the same and takes it
 * back, so that its verdicts are those of the real run. Throws VALIDATION about the file as a whole.
 */
export async function setupBulk(ctx: Context, ports: DevicePorts, input: DeviceBulkSetup): Promise<BulkResult> {
  const lines = readCsv(input.csv, { columns: bulkColumns, needed: 'imei' })
  const entries: AuditEntry[] = []
  const waiting: (() => void)[] = []
  const rehearsal: Context = {
    ...ctx,
    audit: (entry) => void entries.push(entry),
    afterCommit: (work) => void waiting.push(work),
  }
  await beginRehearsal(ctx)
  const room: Room = { problems: maxProblems, leftOut: 0 }
  const rows = await treatAll(rehearsal, ports, lines, input, room)
  const applied = !input.dryRun && rows.every(({ verdict }) => verdict !== 'error')
  if (applied) {
    for (const entry of entries) ctx.audit(entry)
    for (const work of waiting) ctx.afterCommit(work)
  } else await takeBack(ctx)
  const counts = Object.fromEntries(
    bulkVerdicts.map((verdict) => [verdict, rows.filter((row) => row.verdict === verdict).length]),
  ) as BulkResult['counts']
  const shown = applied ? rows : rows.map((row) => ({ ...row, deviceId: null, newSecret: null }))
  return { applied, counts, rows: shown, problemsLeftOut: room.leftOut }
}

/** Rows that are judged without a look at what else there is to do. */
const rowsAtOnce = 20

// After mending these, the person sends the file again.
const maxProblems = 200

/** How many problems the answer has room for, and how many found none. */
interface Room {
  problems: number
  leftOut: number
}

/** A row on its way to its verdict: its faults so far, else what it wants. */
interface Draft {
  line: BulkLine
  imei: string
  problems: RowProblem[]
  device?: Device
  setup?: BulkSetup
}

async function treatAll(
  ctx: Context,
  ports: DevicePorts,
  lines: BulkLine[],
  { overrideImeiCheck }: DeviceBulkSetup,
  room: Room,
): Promise<BulkRow[]> {
  const known = await knownDevices(ctx, ports.devicesByIds, [...new Set(lines.map(imeiOf))])
  const groups = await groupsOfFile(ctx, lines, [...known.values()])
  const firstRows = new Map<string, number>()
  const drafts: Draft[] = []
  for await (const some of inTurns(lines, rowsAtOnce))
    for (const line of some) {
      const draft = draftOf(ctx, line, known, firstRows, overrideImeiCheck)
      drafts.push({ ...draft, problems: [...draft.problems, ...hidden(ctx, draft), ...groups.problemsOf(line)] })
    }
  const outcomes = await setUpAll(ctx, ports, drafts)
  const changes: LabelChange[] = []
  const joining: Joining[] = []
  const join = (draft: Draft, id: number) => {
    for (const group of groups.newGroupsOf(draft.line, draft.device))
      joining.push({ group, device: { id, name: draft.line.cells.name ?? draft.device?.name ?? '' } })
  }
  const rowFor = (draft: Draft): BulkRow => {
    if (draft.device) {
      const isJoining = groups.newGroupsOf(draft.line, draft.device).length > 0
      const row = changedRow(ctx, draft, draft.device, { waiting: changes, isJoining, room })
      if (row.changes.includes('groups')) join(draft, Number(draft.device.id))
      return row
    }
    const outcome = outcomes.get(draft)
    if (outcome instanceof AppError) return refused(ctx, draft, faultsOf(outcome), room)
    if (!outcome) return refused(ctx, draft, draft.problems, room)
    join(draft, outcome.id)
    const { newSecret } = outcome
    return { ...rowOf(draft), verdict: 'new' as const, deviceId: String(outcome.id), newSecret }
  }
  const rows: BulkRow[] = []
  for await (const some of inTurns(drafts, rowsAtOnce)) rows.push(...some.map(rowFor))
  await ports.changeDevices(ctx, changes)
  await joinGroups(ctx, joining)
  return rows
}

function draftOf(
  ctx: Context,
  line: BulkLine,
  known: Map<string, Device>,
  firstRows: Map<string, number>,
  override: boolean,
): Draft {
  const imei = imeiOf(line)
  const probe = probeOf(line)
  const device = probe === null ? undefined : known.get(probeKey(imei, probe))
  const problems = [...line.problems, ...repeated(line, firstRows, imei, probe)]
  if (device) return { line, imei, problems, device }
  if (!problems.some(({ column }) => column === 'imei')) problems.push(...imeiProblems(imei, override))
  if (isCodeMissing(ctx, line.cells.claimCode))
    problems.push({ column: 'claimCode', message: { key: 'fields.required', values: {} } })
  const read = setupOf(line)
  if ('setup' in read) return { line, imei, problems, setup: read.setup }
  // One fault per cell is enough, the first being the more telling one.
  const named = new Set(problems.map(({ column }) => column))
  return { line, imei, problems: [...problems, ...read.problems.filter(({ column }) => !named.has(column))] }
}

/** Only an Admin adds a private device. */
const hidden = (ctx: Context, { setup }: Draft): RowProblem[] =>
  setup && !maySee(ctx.person, setup)
    ? [{ column: 'visibility', message: { key: 'fields.rule.adminsOnly', values: {} } }]
    : []

function repeated(line: BulkLine, firstRows: Map<string, number>, imei: string, probe: number | null): RowProblem[] {
  if (imei === '' || probe === null) return []
  const key = probeKey(imei, probe)
  const first = firstRows.get(key)
  if (first === undefined) firstRows.set(key, line.row)
  return first === undefined
    ? []
    : [{ column: 'imei', message: { key: 'fields.rule.csv.repeated', values: { row: first } } }]
}

interface ProvenClaim extends Claim {
  draft: Draft
  hardware: StoredHardware
  place: Exclude<Place, { refusal: AppError }>
}

/** A new device, with the new secret of its hardware where that changed; or why there is none. */
type Outcome = { id: number; newSecret: string | null } | AppError

/** The outcome, by row, of rows that want a new device and have no fault of their own. */
async function setUpAll(ctx: Context, ports: DevicePorts, drafts: Draft[]): Promise<Map<Draft, Outcome>> {
  const wanting = drafts.flatMap((draft) =>
    draft.setup && draft.problems.length === 0 ? [{ draft, input: draft.setup }] : [],
  )
  const places = await placesOf(
    ctx,
    wanting.map(({ input }) => input.licenceKey),
  )
  const proven = await proveAll(
    ctx,
    wanting.map(({ input }) => input),
  )
  const outcomes = new Map<Draft, Outcome>()
  const claims: ProvenClaim[] = []
  for (const [index, { draft, input }] of wanting.entries()) {
    const found = matched(input, places, proven[index] ?? null)
    if (found instanceof AppError) outcomes.set(draft, found)
    else claims.push({ draft, input, licence: found.place.licence, ...found })
  }
  const secrets = await takeOver(
    ctx,
    claims.map(({ hardware }) => hardware),
  )
  for (let start = 0; start < claims.length; start += maxPerStatement) {
    const some = claims.slice(start, start + maxPerStatement)
    const ids = await ports.claimDevices(ctx, some)
    for (const [index, { draft, place, input }] of some.entries()) {
      const id = ids[index] ?? null
      const hasRoom = place.room > 0
      if (id !== null) place.room -= 1
      if (id === null) outcomes.set(draft, refuseInUse(ctx))
      else
        outcomes.set(draft, hasRoom ? { id, newSecret: secrets.get(input.imei) ?? null } : new AppError('LICENCE_USED'))
    }
  }
  return outcomes
}

const maxPerStatement = 500

function matched(input: BulkSetup, places: Map<string, Place>, hardware: StoredHardware | null) {
  const place = places.get(normalizeKey(input.licenceKey))
  if (!place) return new AppError('LICENCE_INVALID')
  if ('refusal' in place) return place.refusal
  if (!hardware) return new AppError('CLAIM_REFUSED')
  try {
    checkProbe(hardware, input.probe)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  return { place, hardware }
}

interface Changing {
  waiting: LabelChange[]
  /** Some of the row's groups are new to the device. */
  isJoining: boolean
  room: Room
}

function changedRow(ctx: Context, draft: Draft, device: Device, { waiting, isJoining, room }: Changing): BulkRow {
  if (draft.problems.length > 0) return refused(ctx, draft, draft.problems, room)
  const read = changeOf(draft.line, device)
  if ('problems' in read) return refused(ctx, draft, read.problems, room)
  const { change, ignored } = read
  if (read.changes.length > 0) waiting.push({ device, change })
  const changes = [...read.changes, ...(isJoining ? (['groups'] as const) : [])]
  const verdict = changes.length > 0 ? 'changes' : 'unchanged'
  return { ...rowOf(draft), verdict, changes, ignored, deviceId: device.id }
}

const rowOf = ({ line, imei, device }: Draft): BulkRow => ({
  row: line.row,
  imei,
  name: line.cells.name ?? device?.name ?? '',
  verdict: 'error',
  problems: [],
  changes: [],
  ignored: [],
  deviceId: null,
  newSecret: null,
})

function refused(ctx: Context, draft: Draft, problems: RowProblem[], room: Room): BulkRow {
  const reported = problems.slice(0, room.problems)
  room.problems -= reported.length
  room.leftOut += problems.length - reported.length
  return {
    ...rowOf(draft),
    problems: reported.map(({ column, message }) => ({
      column,
      message: translate(ctx.locale, `errors:${message.key}`, message.values),
    })),
  }
}

const columnOf: Partial<Record<ErrorCode, BulkColumn>> = {
  CLAIM_REFUSED: 'claimCode',
  LICENCE_INVALID: 'licenceKey',
  LICENCE_USED: 'licenceKey',
}

function faultsOf(error: AppError): RowProblem[] {
  if (error instanceof InvalidInput)
    return error.problems.map(({ path, message }) => ({ column: path as BulkColumn, message }))
  return [{ column: columnOf[error.code] ?? null, message: { key: `codes.${error.code}`, values: error.values } }]
}
