import type { CalibrationFilter } from '@isotherm/contract/calibrations.ts'
import type { z } from 'zod'
import type { Context } from '../../platform/context.ts'
import { listCsv } from '../../platform/http/list-csv.ts'
import { presentCalibration } from './present.ts'
import { allCalibrations } from './queries.ts'

const columns = [
  ...['device', 'channel', 'certificate_no', 'laboratory', 'calibrated_on', 'due_on', 'due', 'offset_at_0_c'],
  ...['points', 'note', 'file_sha256', 'added_by', 'added_utc'],
]

/** calibrations.csv: a line per certificate that the reader finds; a point is "at reference: reading +-uncertainty", degrees Celsius. */
export async function calibrationsCsv(ctx: Context, query: z.output<typeof CalibrationFilter>) {
  const certificates = (await allCalibrations(ctx, query)).map(presentCalibration)
  ctx.audit({ action: 'calibrations.exported', after: { count: certificates.length } })
  const lines = certificates.map(({ device, points, file, ...one }) => [
    ...[device.name, one.channel, one.certificateNo, one.laboratory, one.calibratedOn, one.dueOn, one.due, one.offsetC],
    ...[points.map(writePoint).join('; '), one.note, file?.sha256, one.createdByName, one.createdAt],
  ])
  return listCsv('calibrations.csv', columns, lines)
}

const writePoint = ({ referenceC, readingC, uncertaintyC }: ReturnType<typeof presentCalibration>['points'][number]) =>
  `at ${referenceC}: ${readingC}${uncertaintyC === null ? '' : ` +-${uncertaintyC}`}`
